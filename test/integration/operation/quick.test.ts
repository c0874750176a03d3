// How quickly an operator gets an answer, beside a running gateway and beside what Node takes to do nothing.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useGround } from '../gateway-process/ground.ts';
import { runProgram } from '../run-program.ts';

const ground = useGround();
const program = join(import.meta.dirname, '../../../bin/hermes.js');
const ROUNDS = 8;

async function measuredMs(home: string, ...words: readonly string[]): Promise<number> {
  const before = performance.now();
  await runProgram([process.execPath, ...words], { env: { HERMES_HOME: home, TERMINAL_ENV: 'local' } });
  return performance.now() - before;
}

describe('answers to an operator', () => {
  it.each([
    { command: 'status', withinMs: 500, timesNode: 10 },
    { command: 'security audit', withinMs: 2000, timesNode: 20 },
  ])(
    'hermes $command comes within $withinMs ms, or $timesNode times what Node takes on a busy machine',
    {
      timeout: 90_000,
    },
    async ({ command, withinMs, timesNode }) => {
      const { home, detach } = await ground();
      await detach();
      // What others do on the machine counts in no figure: one good round is enough.
      const rounds: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const node = await measuredMs(home, '-e', '0');
        const ours = await measuredMs(home, program, ...command.split(' '));
        if (ours < Math.max(withinMs, timesNode * node)) return;
        rounds.push(`${Math.round(ours)} ms, Node ${Math.round(node)} ms`);
      }
      expect(rounds).toEqual([]);
    },
  );
});
