// Cancels at every moment of a command's life: before it starts, while it starts, while it runs, while it ends.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type SandboxHandle } from '../../src/index.ts';

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
    for (let turn = 0; turn < 60; turn++) {
      const abort = new AbortController();
      // From at once to well after the start, in steps of a fifth of a millisecond.
      const cancelAt = performance.now() + turn / 5;
      const spin = (): void => {
        if (performance.now() >= cancelAt) abort.abort();
        else setImmediate(spin);
      };
      spin();
      const result = await sandbox.exec(`sleep ${marker} & sleep ${marker}`, {
        persistent,
        signal: abort.signal,
      });
      expect(result.outcome).toBe('canceled');
    }
    expect(processesWith(`sleep ${marker}`)).toEqual([]);
    expect((await sandbox.exec('echo alive', { persistent })).stdout).toBe('alive\n');
  });
});
