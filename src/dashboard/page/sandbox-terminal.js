// A terminal in a sandbox, line by line. What is printed is kept at its end only, so that megabytes do not stop the page.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Output } from './chat-steps.js';
import { useShared } from './hooks.js';

const MOST_TEXT = 64 * 1024;
/** A program that prints without end is drawn this often. */
const DRAW_MS = 120;
/** Colours and movements of a real terminal. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** @param {{ sandbox: any }} props */
export function Terminal({ sandbox }) {
  const { live } = useShared();
  const screen = useScreen(live, sandbox.id);
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
    if (event.key === 'c' && event.ctrlKey && screen.isRunning && getSelection()?.isCollapsed !== false)
      screen.stop();
  };
  const submit = event => {
    event.preventDefault();
    if (screen.isRunning || typed.trim() === '') return;
    screen.run(typed);
    setTyped('');
    setBack(0);
  };
  return h(
    'div',
    { class: 'terminal' },
    h(Output, {
      text:
        screen.text ||
        'Lines run in this sandbox, each in a shell of its own that starts in the folder where the last one ended.\n',
      dropped: screen.dropped,
      label: 'Terminal',
    }),
    h(
      'form',
      { class: 'row', onSubmit: submit },
      h('label', { class: 'prompt', for: 'terminal-line' }, `${screen.cwd ?? '~'} $`),
      h('input', {
        id: 'terminal-line',
        ref: input,
        type: 'text',
        value: typed,
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
        onInput: event => setTyped(event.currentTarget.value),
        onKeyDown,
      }),
      screen.isRunning
        ? h('button', { type: 'button', class: 'danger', onClick: screen.stop }, 'Stop')
        : h('button', { type: 'submit' }, 'Run'),
    ),
  );
}

/** What the terminal shows; drawn a few times a second at most. @param {import('./live.js').Live} live @param {string} sandbox */
function useScreen(live, sandbox) {
  const kept = useRef({
    text: '',
    dropped: 0,
    /** @type {string[]} */
    fresh: [],
    freshSize: 0,
    line: '',
    /** @type {string | undefined} */
    cwd: undefined,
    /** @type {string[]} */
    history: [],
    isDue: false,
    drawnAt: 0,
  });
  const [, again] = useState(0);
  const screen = kept.current;
  const draw = () => {
    if (screen.isDue) return;
    screen.isDue = true;
    const wait = Math.max(0, DRAW_MS - (performance.now() - screen.drawnAt));
    setTimeout(() => {
      const whole = screen.text + screen.fresh.join('').replace(ESCAPES, '');
      const cut = Math.max(0, whole.length - MOST_TEXT);
      Object.assign(screen, {
        text: whole.slice(cut),
        dropped: screen.dropped + cut,
        fresh: [],
        freshSize: 0,
      });
      Object.assign(screen, { isDue: false, drawnAt: performance.now() });
      again(count => count + 1);
    }, wait);
  };
  const print = text => {
    screen.fresh.push(text);
    screen.freshSize += text.length;
    // What would be cut off anyhow is not kept until then.
    while (screen.freshSize - screen.fresh[0].length > MOST_TEXT) {
      const gone = screen.fresh.shift() ?? '';
      screen.freshSize -= gone.length;
      screen.dropped += gone.length;
    }
    draw();
  };
  useEffect(
    () =>
      live.onFrame(frame => {
        if (frame.type === 'cut-off' && screen.line) {
          print('[the connection was lost; the command was stopped]\n');
          screen.line = '';
        }
        if (frame.id !== screen.line || !screen.line) return;
        if (frame.type === 'line-output') print(frame.text);
        if (frame.type === 'line-end') {
          screen.line = '';
          if (!endsLine(screen)) print('\n');
          if (frame.error) print(`[${frame.error.message}]\n`);
          else if (frame.outcome !== 'exited') print(`[${frame.outcome}]\n`);
          else if (frame.code) print(`[exit code ${frame.code}]\n`);
          if (frame.cwd) screen.cwd = frame.cwd;
          draw();
        }
      }),
    [live],
  );
  return {
    text: screen.text,
    dropped: screen.dropped,
    cwd: screen.cwd,
    history: screen.history,
    isRunning: screen.line !== '',
    run(command) {
      screen.line = crypto.randomUUID();
      screen.history.push(command);
      print(`${screen.cwd ?? '~'} $ ${command}\n`);
      const isSent = live.send({
        type: 'line',
        id: screen.line,
        sandbox,
        command,
        ...(screen.cwd ? { cwd: screen.cwd } : {}),
      });
      if (isSent) return;
      screen.line = '';
      print('[the gateway is not there now]\n');
    },
    stop: () => live.send({ type: 'stop-line', id: screen.line }),
  };
}

/** @param {{ text: string, fresh: readonly string[] }} screen */
function endsLine({ text, fresh }) {
  const last = fresh.at(-1) ?? text;
  return last === '' || last.endsWith('\n');
}
