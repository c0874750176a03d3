// Lines from the user: with editing and history on a terminal, plainly from a pipe.
import { createInterface } from 'node:readline';
import type { Abortable } from '../base/abortable.ts';
import type { Input, Output } from './run-cli.ts';

export interface LineOptions {
  /** Oldest first. */
  readonly history: readonly string[];
  /** Ctrl-C on a terminal while no line is waited for. */
  readonly onInterrupt: () => void;
}

export type Typed =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C, or the signal: whatever was begun is to be forgotten. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'end' };

export interface Lines {
  /** Who is told by the signal that nobody wants the line any more gets `interrupted`. */
  next(prompt: string, options?: Abortable): Promise<Typed>;
  /** Forgets what was typed ahead; it cannot be the answer to a question that nobody had seen. */
  forget(): void;
  /** What was typed in this sitting and before, oldest first. */
  history(): readonly string[];
  close(): void;
}

export function openLines(input: Input, output: Output, { history, onInterrupt }: LineOptions): Lines {
  const terminal = input.isTTY === true && output.isTTY === true;
  let kept = history.toReversed();
  const reader = createInterface({
    input,
    // Only a terminal gets prompts and echo; elsewhere the output is the commands' alone.
    ...(terminal ? { output: process.stdout } : {}),
    terminal,
    history: [...kept],
    historySize: 1000,
    removeHistoryDuplicates: true,
  });
  reader.on('history', lines => {
    kept = lines;
  });
  const typed: Typed[] = [];
  let waiting: ((typed: Typed) => void) | undefined;
  const put = (one: Typed): void => {
    if (!waiting) return void typed.push(one);
    waiting(one);
    waiting = undefined;
  };
  reader.on('line', text => put({ kind: 'line', text }));
  reader.on('close', () => put({ kind: 'end' }));
  reader.on('SIGINT', () => {
    if (!waiting) return onInterrupt();
    process.stdout.write('^C\n');
    reader.write(null, { ctrl: true, name: 'e' });
    reader.write(null, { ctrl: true, name: 'u' });
    put({ kind: 'interrupted' });
  });
  return {
    async next(prompt, { signal } = {}) {
      if (signal?.aborted) return { kind: 'interrupted' };
      const [first] = typed;
      // The end stays the end, however often it is asked for.
      if (first) return first.kind === 'end' ? first : (typed.shift() ?? first);
      if (terminal) {
        reader.setPrompt(prompt);
        reader.prompt();
      }
      const drop = (): void => put({ kind: 'interrupted' });
      signal?.addEventListener('abort', drop, { once: true });
      return new Promise(resolve => {
        waiting = one => {
          signal?.removeEventListener('abort', drop);
          resolve(one);
        };
      });
    },
    forget() {
      const isOver = typed.some(({ kind }) => kind === 'end');
      typed.length = 0;
      if (isOver) typed.push({ kind: 'end' });
    },
    history: () => kept.toReversed(),
    close: () => reader.close(),
  };
}
