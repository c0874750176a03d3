// Proofs of running several commands at once. A barrier of files proves that they did, without looking at a clock.
import { expect } from 'vitest';
import type { ExecResult } from '../../../src/index.ts';
import { type Box, newMarker, spelled } from '../trial.ts';
import { proofs } from '../verifies.ts';

const COUNT = 20;

/** Each waits until all have started, then writes lines of its own to both streams. */
function crowd({ handle }: Box, timeoutMs: number): Promise<ExecResult[]> {
  const command = (i: number): string => `: >barrier.${i}
until set -- barrier.*; [ $# -ge ${COUNT} ]; do sleep 0.05; done
for ((n = 0; n < 200; n++)); do echo "out ${i}"; echo "err ${i}" >&2; done; exit ${i}`;
  const all = Array.from({ length: COUNT }, (_, i) => handle.exec(command(i), { timeoutMs }));
  return Promise.all(all);
}

function expectUnmixed(results: readonly ExecResult[]): void {
  results.forEach((result, i) => {
    expect(result).toMatchObject({ outcome: 'exited', exitCode: i });
    expect(result.stdout).toBe(`out ${i}\n`.repeat(200));
    expect(result.stderr).toBe(`err ${i}\n`.repeat(200));
  });
}

export const concurrencyProofs = proofs(verifies => {
  verifies('concurrency.twenty', async trial => {
    expectUnmixed(await crowd(await trial.open(), trial.patienceMs));
  });

  verifies('concurrency.beside', async trial => {
    const box = await trial.open();
    const marker = newMarker();
    const abort = new AbortController();
    const long = box.keep(`echo long; sleep ${spelled(marker)}; true`, {
      signal: abort.signal,
      timeoutMs: 60_000,
    });
    await trial.running(marker);
    expectUnmixed(await crowd(box, trial.patienceMs));
    expect(await trial.ground.processes(marker)).not.toEqual([]);
    abort.abort();
    expect(await trial.within(long, 'the long one is canceled')).toMatchObject({
      outcome: 'canceled',
      stdout: 'long\n',
    });
  });

  verifies('concurrency.order', async trial => {
    const { keep } = await trial.open();
    const commands = Array.from(
      { length: COUNT },
      (_, i) => `list+=" ${i}"; [ ! -e busy ] && : >busy; echo $?; rm busy`,
    );
    const results = await Promise.all(commands.map(command => keep(command)));
    expect(results.map(({ stdout }) => stdout)).toEqual(commands.map(() => '0\n'));
    const expected = commands.map((_, i) => ` ${i}`).join('');
    expect((await keep('echo "$list"')).stdout).toBe(`${expected}\n`);
  });

  verifies('concurrency.sandboxes', async trial => {
    const [one, other] = await Promise.all([trial.open(), trial.open()]);
    const both = (command: string): Promise<ExecResult[]> =>
      Promise.all([one.run(command), other.run(command)]);
    await Promise.all([one.run('export WHO=one; cd /; echo 1 >/dev/null'), other.run('WHO=other')]);
    const [first, second] = await both('echo "${WHO-nobody} $HERMES_SANDBOX"');
    const isKept = trial.mode === 'persistent';
    expect(first?.stdout.split(' ')[0]).toBe(isKept ? 'one' : 'nobody');
    expect(second?.stdout.split(' ')[0]).toBe(isKept ? 'other' : 'nobody');
    await one.handle.destroy();
    expect(await other.run('echo alive')).toMatchObject({ outcome: 'exited', stdout: 'alive\n' });
  });
});
