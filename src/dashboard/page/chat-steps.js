// The steps of runs: kept as the socket tells them, and shown folded with what they print.
import { h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useFollowedEnd, useShared } from './hooks.js';
import { Icon } from './icons.js';
import { many, span } from './words.js';

const MOST_OUTPUT = 64 * 1024;

/**
 * @typedef {{ id: string, tool: string, summary: string, state: 'running' | 'done' | 'failed', output: string, dropped: number, durationMs?: number }} Step
 * @typedef {{ run: string, startedAt: number, isOver: boolean, steps: Step[] }} Run
 */

/** The runs of a chat, oldest first. @param {string} chat @returns {Run[]} */
export function useRuns(chat) {
  const { live } = useShared();
  const runs = useRef(/** @type {Map<string, Run>} */ (new Map()));
  const [, again] = useState(0);
  useEffect(() => {
    let isDue = false;
    const soon = () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        again(count => count + 1);
      });
    };
    live.watchChat(chat);
    const stop = live.onFrame(frame => {
      if (takeFrame(runs.current, frame)) soon();
    });
    return () => {
      stop();
      live.watchChat(undefined);
    };
  }, [live, chat]);
  return [...runs.current.values()];
}

/** @param {Map<string, Run>} runs @param {any} frame */
function takeFrame(runs, frame) {
  const run = runs.get(frame.run);
  switch (frame.type) {
    case 'runs':
      runs.clear();
      for (const each of frame.runs) runs.set(each.run, each);
      return true;
    case 'run':
      runs.set(frame.run.run, { ...frame.run, steps: [...frame.run.steps] });
      return true;
    case 'step': {
      const at = run?.steps.findIndex(({ id }) => id === frame.step.id) ?? -1;
      const { output = '', dropped = 0 } = run?.steps[at] ?? {};
      if (at >= 0) run?.steps.splice(at, 1, { ...frame.step, output, dropped });
      else run?.steps.push({ ...frame.step, output, dropped });
      return true;
    }
    case 'step-output': {
      const step = run?.steps.find(({ id }) => id === frame.id);
      if (step) keepEnd(step, frame.text);
      return true;
    }
    case 'run-over':
      if (run) run.isOver = true;
      return true;
    default:
      return false;
  }
}

/** @param {Step} step @param {string} text */
function keepEnd(step, text) {
  const whole = step.output + text;
  const cut = Math.max(0, whole.length - MOST_OUTPUT);
  step.output = whole.slice(cut);
  step.dropped += cut;
}

/** @param {{ run: Run }} props */
export function RunSteps({ run }) {
  const now = run.steps.at(-1);
  const failed = run.steps.filter(({ state }) => state === 'failed').length;
  const title = run.isOver
    ? `${many(run.steps.length, 'step')}${failed ? `, ${failed} failed` : ''}`
    : `Step ${run.steps.length}: ${now?.tool ?? ''}`;
  return h(
    'details',
    { class: 'steps' },
    h(
      'summary',
      null,
      run.isOver ? h(Icon, { name: 'tool' }) : h('span', { class: 'spinner' }),
      h('span', null, title),
      h('span', { class: 'dim cut' }, now?.summary ?? ''),
    ),
    run.steps.map(step => h(StepView, { key: step.id, step })),
  );
}

/** @param {{ step: Step }} props */
function StepView({ step }) {
  const [isOpen, setOpen] = useState(step.state === 'running');
  const { state, tool, summary, output, dropped, durationMs } = step;
  const mark = state === 'running' ? '…' : state === 'done' ? '✓' : '✗';
  return h(
    'details',
    {
      class: `step ${state}`,
      open: isOpen,
      onToggle: event => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open),
    },
    h(
      'summary',
      null,
      h('span', { class: 'mark', 'aria-hidden': 'true' }, mark),
      h('span', { class: 'hidden' }, state),
      h('strong', null, tool),
      h('code', { class: 'cut' }, summary),
      durationMs !== undefined &&
        h('span', { class: 'dim' }, durationMs < 1000 ? `${Math.round(durationMs)} ms` : span(durationMs)),
    ),
    isOpen && h(Output, { text: output, dropped, label: `Output of ${tool}` }),
  );
}

/** The end of what was printed, at its last line while one does not scroll up. @param {{ text: string, dropped?: number, label: string }} props */
export function Output({ text, dropped = 0, label }) {
  const { box, follow, hands } = useFollowedEnd();
  useEffect(follow, [text]);
  return h(
    'pre',
    { class: 'output', ref: box, tabIndex: 0, role: 'region', 'aria-label': label, ...hands },
    dropped > 0 && h('span', { class: 'dim' }, `… ${dropped.toLocaleString()} characters before this\n`),
    text === '' ? h('span', { class: 'dim' }, 'No output.') : text,
  );
}
