// Lines from the user: with editing and history on a terminal, plainly from a pipe.
import { createInterface, type Interface } from 'node:readline';
import type { Abortable } from '../base/abortable.ts';
import { ASK_FOR_MARKS, NO_MORE_MARKS, withBreaks } from './paste.ts';
import { QuietOutput } from './quiet-output.ts';
import type { Input, Output } from './run-cli.ts';
import { TerminalKeys } from './terminal-keys.ts';

export interface LineOptions {
  /** Oldest first. */
  readonly history: readonly string[];
  /** Ctrl-C on a terminal while no line is waited for. */
  readonly onInterrupt: () => void;
  /** `whole`: several lines that are pasted at once are one text; absent = a line each. */
  readonly pastes?: 'whole';
}

export type Typed =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C, or the signal: whatever was begun is to be forgotten. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'end' };

export interface NextOptions extends Abortable {
  /** `answer`: to a question; it stands in no history. `secret`: nor on the terminal. Absent = a line of its own. */
  readonly as?: 'answer' | 'secret';
}

export interface Lines {
  /** Who is told by the signal that nobody wants the line any more gets `interrupted`. */
  next(prompt: string, options?: NextOptions): Promise<Typed>;
  /** Forgets what was typed ahead, and returns it; it cannot be the answer to a question that nobody had seen. */
  forget(): readonly string[];
  /** What was typed in this sitting and before, oldest first, a line each; `withBreaks` makes texts of them. */
  history(): readonly string[];
  close(): void;
}

interface Waiting {
  readonly isAnswer: boolean;
  readonly take: (typed: Typed) => void;
}

export function openLines(
  input: Input,
  output: Output,
  { history, onInterrupt, pastes }: LineOptions,
): Lines {
  const terminal = input.isTTY === true && output.isTTY === true;
  const keys = terminal ? new TerminalKeys(input) : undefined;
  // Only a terminal gets prompts and echo; elsewhere the output is the commands' alone.
  const echo = terminal ? new QuietOutput(process.stdout) : undefined;
  let kept = history.toReversed();
  const reader = createInterface({
    input: keys ?? input,
    ...(echo ? { output: echo } : {}),
    terminal,
    history: [...kept],
    historySize: 1000,
    removeHistoryDuplicates: true,
  });
  const typed: Typed[] = [];
  let waiting: Waiting | undefined;
  const put = (one: Typed): void => {
    echo?.show();
    if (!waiting) return void typed.push(one);
    const { take } = waiting;
    waiting = undefined;
    take(one);
  };
  reader.on('history', lines => {
    // The array is the editor's own: what is taken out of it cannot be called back either.
    if (waiting?.isAnswer) lines.shift();
    kept = [...lines];
  });
  const marks = terminal && pastes === 'whole';
  reader.on('line', text => put({ kind: 'line', text: marks ? withBreaks(text) : text }));
  reader.on('close', () => put({ kind: 'end' }));
  reader.on('SIGINT', () => {
    if (!waiting) return onInterrupt();
    // Before the mark: emptying the line draws the prompt again.
    emptyLine(reader);
    process.stdout.write('^C\n');
    put({ kind: 'interrupted' });
  });
  if (marks) process.stdout.write(ASK_FOR_MARKS);
  let isClosed = false;
  return {
    async next(prompt, { signal, as } = {}) {
      if (signal?.aborted) return { kind: 'interrupted' };
      const [first] = typed;
      // The end stays the end, however often it is asked for.
      if (first) return first.kind === 'end' ? first : (typed.shift() ?? first);
      if (echo) showPrompt(reader, echo, as === 'secret' ? { secret: prompt } : { open: prompt });
      const drop = (): void => put({ kind: 'interrupted' });
      signal?.addEventListener('abort', drop, { once: true });
      return new Promise(resolve => {
        const take = (one: Typed): void => {
          signal?.removeEventListener('abort', drop);
          resolve(one);
        };
        waiting = { isAnswer: as !== undefined, take };
      });
    },
    forget() {
      const dropped = typed.splice(0);
      const end = dropped.find(({ kind }) => kind === 'end');
      if (end) typed.push(end);
      return dropped.flatMap(one => (one.kind === 'line' ? [one.text] : []));
    },
    history: () => kept.toReversed(),
    close() {
      if (isClosed) return;
      isClosed = true;
      reader.close();
      keys?.release();
      echo?.release();
      if (marks) process.stdout.write(NO_MORE_MARKS);
    },
  };
}

function showPrompt(
  reader: Interface,
  echo: QuietOutput,
  { open = '', secret }: { readonly open?: string; readonly secret?: string },
): void {
  if (secret !== undefined) echo.hide(secret);
  reader.setPrompt(open);
  reader.prompt();
}

function emptyLine(reader: Interface): void {
  if (reader.line === '') return;
  reader.write(null, { ctrl: true, name: 'e' });
  reader.write(null, { ctrl: true, name: 'u' });
}
