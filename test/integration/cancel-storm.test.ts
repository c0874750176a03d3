// Cancels at every moment of a command's life: before it starts, while it starts, while it runs, while it ends.
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type SandboxHandle } from '../../src/index.ts';
import { useDraws } from '../seed.ts';

/** So many turns of the event loop take some ten milliseconds. */
const MOST_TURNS_LOG2 = 13;
const TIMES = 24;

let sandbox: SandboxHandle;
beforeAll(async () => {
  sandbox = await openSandbox({ backend: 'local' });
});
afterAll(() => sandbox.destroy());

/** Living processes whose command line contains the text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    })
    .filter(line => line.includes(text));
}

describe.each([false, true])('P6: cancelled at any moment (persistent: %s)', persistent => {
  it('a command leaves no process and the next one works', async () => {
    const marker = `7${persistent ? 1 : 0}${process.pid}`;
    const { below } = useDraws();
    for (let turn = 0; turn < TIMES; turn++) {
      const abort = new AbortController();
      // From at once to well after the start: most moments are early, where most happens.
      const afterTurns = below(2 ** below(MOST_TURNS_LOG2));
      const running = sandbox.exec(`sleep ${marker} & sleep ${marker}`, {
        ...{ persistent, signal: abort.signal },
      });
      for (let at = 0; at < afterTurns; at++) await nextTurn();
      abort.abort();
      expect((await running).outcome).toBe('canceled');
    }
    expect(processesWith(`sleep ${marker}`)).toEqual([]);
    expect((await sandbox.exec('echo alive', { persistent })).stdout).toBe('alive\n');
  });
});
