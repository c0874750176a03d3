// Lines from the user: with editing and history on a terminal, plainly from a pipe.
import { createInterface } from 'node:readline';
import type { Input, Output } from './run-cli.ts';

export interface LineOptions {
  /** Oldest first. */
  readonly history: readonly string[];
  /** Ctrl-C, on a terminal. */
  readonly onInterrupt: () => void;
}

export interface Lines {
  /** Undefined at the end of the input. */
  next(prompt: string): Promise<string | undefined>;
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
  reader.on('SIGINT', onInterrupt);
  const lines = reader[Symbol.asyncIterator]();
  return {
    async next(prompt) {
      if (terminal) {
        reader.setPrompt(prompt);
        reader.prompt();
      }
      const { value, done } = await lines.next();
      return done ? undefined : value;
    },
    history: () => kept.toReversed(),
    close: () => reader.close(),
  };
}
