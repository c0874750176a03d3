// A program on a terminal of its own, typed at and read from as a person would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { shellQuote } from '../../../src/base/shell-quote.ts';
import { PATIENCE_MS } from '../../wait.ts';

export interface Typist {
  /** Everything that was written so far, without colours and movements of the cursor. */
  screen(): string;
  type(text: string): void;
  /** As a terminal sends it that was asked to mark what is pasted. */
  paste(text: string): void;
  /** Waits until the terminal has written the text since it was last waited for. */
  see(text: string): Promise<void>;
  readonly ended: Promise<number>;
  kill(): void;
  /** Ends the program on the spot, so that it can clean up nothing. */
  killProgram(): Promise<void>;
  /** Closes the terminal; the exit code of the program. */
  hangUp(): Promise<number>;
}

export interface TerminalOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** For what the end of the program leaves. */
  readonly notes: string;
}

/** It outlives the terminal, to tell how the program ended. */
const WITNESS = 'echo $$ >"$0.pid"; trap : HUP; "$@"; code=$?; echo $code >"$0.code"; exit $code';

export function onTerminal(command: readonly string[], { env, cwd, notes }: TerminalOptions): Typist {
  // `script` gives it a terminal and hands its end on.
  const note = join(notes, newId());
  const args = ['-qfec', ['sh', '-c', WITNESS, note, ...command].map(shellQuote).join(' '), '/dev/null'];
  const child = spawn('script', args, { env: { ...env, TERM: 'xterm' }, cwd });
  let [written, seen] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  child.stdin.on('error', () => undefined); // typed at a terminal that has gone
  const screen = (): string => stripVTControlCharacters(written).replaceAll('\r', '');
  const ended = once(child, 'exit').then(([code]) => Number(code));
  const read = (end: string): string => readFileSync(note + end, 'utf8');
  const program = (): number => {
    const witness = read('.pid').trim();
    const [first] = readFileSync(`/proc/${witness}/task/${witness}/children`, 'utf8').trim().split(' ');
    return Number(first);
  };
  return {
    screen,
    ended,
    type: text => void child.stdin.write(text),
    paste: text => void child.stdin.write(`\x1b[200~${text}\x1b[201~`),
    see: text =>
      vi.waitFor(
        () => {
          const at = screen().indexOf(text, seen);
          if (at === -1) throw new Error(`${text} is not there:\n${screen().slice(seen)}`);
          seen = at + text.length;
        },
        { timeout: PATIENCE_MS, interval: 20 },
      ),
    kill: () => void child.kill(),
    async killProgram() {
      process.kill(program(), 'SIGKILL');
      await ended;
    },
    async hangUp() {
      const pid = program();
      child.kill('SIGKILL');
      return vi.waitFor(
        () => {
          const code = existsSync(`${note}.code`) ? read('.code').trim() : '';
          if (code !== '') return Number(code);
          // The system and the shell both say it, and neither knows of the other.
          process.kill(pid, 'SIGHUP');
          throw new Error('the program has not ended');
        },
        { timeout: PATIENCE_MS, interval: 20 },
      );
    },
  };
}
