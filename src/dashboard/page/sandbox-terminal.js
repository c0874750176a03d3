// A terminal in a sandbox, line by line. What is printed is kept at its end only, so that megabytes do not stop the page.
import { h } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Output } from './chat-steps.js';
import { useShared } from './hooks.js';
import { Screen } from './screen.js';

const FIRST =
  'Lines run in this sandbox, each in a shell of its own that starts in the folder where the last one ended.\n';

/** @param {{ sandbox: any }} props */
export function Terminal({ sandbox }) {
  const { live } = useShared();
  const [, again] = useState(0);
  const screen = useMemo(
    () => new Screen(live, sandbox.id, () => again(count => count + 1)),
    [live, sandbox.id],
  );
  useEffect(() => screen.listen(), [screen]);
  return h(
    'div',
    { class: 'terminal' },
    h(Output, { text: screen.text || FIRST, dropped: screen.dropped, label: 'Terminal' }),
    h(Prompt, { screen, isRunning: screen.line !== '' }),
  );
}

/** @param {{ screen: Screen, isRunning: boolean }} props */
function Prompt({ screen, isRunning }) {
  const [typed, setTyped] = useState('');
  const [back, setBack] = useState(0);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => input.current?.focus(), []);
  const onKeyDown = event => {
    const { history } = screen;
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      const next = Math.max(0, Math.min(history.length, back + (event.key === 'ArrowUp' ? 1 : -1)));
      setBack(next);
      setTyped(next === 0 ? '' : (history[history.length - next] ?? ''));
    }
    if (event.key === 'c' && event.ctrlKey && isRunning && getSelection()?.isCollapsed !== false)
      screen.stop();
  };
  const submit = event => {
    event.preventDefault();
    if (isRunning || typed.trim() === '') return;
    screen.run(typed);
    setTyped('');
    setBack(0);
  };
  return h(
    'form',
    { class: 'row', onSubmit: submit },
    h('label', { class: 'prompt', for: 'terminal-line' }, `${screen.cwd ?? '~'} $`),
    h('input', {
      ...{ id: 'terminal-line', ref: input, type: 'text', value: typed, spellcheck: false },
      ...{ autocomplete: 'off', autocapitalize: 'off', onKeyDown },
      onInput: event => setTyped(event.currentTarget.value),
    }),
    isRunning
      ? h('button', { type: 'button', class: 'danger', onClick: () => screen.stop() }, 'Stop')
      : h('button', { type: 'submit' }, 'Run'),
  );
}
