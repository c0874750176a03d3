// A program on a terminal of its own, typed at and read from as a person would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import { shellQuote } from '../../../src/base/shell-quote.ts';

export interface Typist {
  /** Everything that was written so far, without colours and movements of the cursor. */
  screen(): string;
  type(text: string): void;
  /** Waits until the terminal has written the text since it was last waited for. */
  see(text: string): Promise<void>;
  readonly ended: Promise<number>;
  kill(): void;
}

export function onTerminal(command: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Typist {
  // `script` gives it a terminal and hands its end on.
  const args = ['-qfec', command.map(shellQuote).join(' '), '/dev/null'];
  const child = spawn('script', args, { env: { ...env, TERM: 'xterm' }, cwd });
  let [written, seen] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const screen = (): string => stripVTControlCharacters(written).replaceAll('\r', '');
  const ended = once(child, 'exit').then(([code]) => Number(code));
  return {
    screen,
    ended,
    type: text => void child.stdin.write(text),
    see: text =>
      vi.waitFor(
        () => {
          const at = screen().indexOf(text, seen);
          if (at === -1) throw new Error(`${text} is not there:\n${screen().slice(seen)}`);
          seen = at + text.length;
        },
        { timeout: 15_000, interval: 20 },
      ),
    kill: () => void child.kill(),
  };
}
