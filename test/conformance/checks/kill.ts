// Proofs that time-out and cancel leave no process (P6). The tree is seen to run before it is ended.
import { expect } from 'vitest';
import type { ExecResult } from '../../../src/index.ts';
import type { RequirementId } from '../requirements.ts';
import { type Box, LONG_MS, newMarker, spelled, type Trial } from '../trial.ts';
import { proofs } from '../verifies.ts';

type Ending = 'timed-out' | 'canceled';
const ENDINGS: readonly Ending[] = ['timed-out', 'canceled'];

/** Starts `sleep marker` in a session of its own, with an environment of its own, and nobody's child. */
export function stray(marker: string, environment = ''): string {
  return `env -i ${environment} "$(command -v bash)" -c '("$@" &)' bash "$(command -v setsid)" "$(command -v sleep)" ${marker} </dev/null >/dev/null 2>&1`;
}

/** Commands that never end by themselves, with `sleep marker` at the bottom of the tree. */
const TREES: readonly (readonly [RequirementId, (marker: string) => string])[] = [
  ['kill.child', marker => `sleep ${spelled(marker)}; echo AFTER`],
  ['kill.grandchild', marker => `bash -c 'bash -c "sleep ${spelled(marker)}; true"; true'; echo AFTER`],
  [
    'kill.subshell',
    marker =>
      `( ( sleep ${spelled(marker)}; true ); true ) | cat; echo "$(sleep ${spelled(marker)})"; echo AFTER`,
  ],
  [
    'kill.daemon',
    marker =>
      `( setsid bash -c 'sleep ${spelled(marker)} & exec sleep ${spelled(marker)}' & ); sleep ${spelled(marker)}`,
  ],
  ['kill.untagged', marker => `env -i "$(command -v sleep)" ${spelled(marker)} & wait; echo AFTER`],
  [
    'kill.stray',
    marker => `${stray(marker)}; ${stray(marker, 'HERMES_COMMAND=invented')}; sleep ${spelled(marker)}`,
  ],
  ['kill.deaf', marker => `trap '' TERM INT HUP QUIT; while :; do sleep ${spelled(marker)}; done`],
];

/** Runs a command, waits until its tree is up, and ends it. */
async function end(
  trial: Trial,
  box: Box,
  ending: Ending,
  command: string,
  up: () => Promise<void>,
): Promise<ExecResult> {
  const abort = new AbortController();
  const result = box.run(command, { timeoutMs: LONG_MS, signal: abort.signal });
  await up();
  if (ending === 'canceled') abort.abort();
  else box.passTime();
  return trial.within(result, `the command is ${ending}`);
}

function expectEnded(result: ExecResult, ending: Ending): void {
  expect(result.outcome).toBe(ending);
  expect(result).not.toHaveProperty('exitCode');
  expect(result).not.toHaveProperty('signal');
  expect(result.stdout).not.toContain('AFTER');
}

export const killProofs = proofs(verifies => {
  for (const ending of ENDINGS) {
    for (const [id, tree] of TREES) {
      verifies(id, ending, async trial => {
        const box = await trial.open();
        const marker = newMarker();
        const processes = ['kill.daemon', 'kill.stray'].includes(id) ? 3 : 1;
        expectEnded(
          await end(trial, box, ending, tree(marker), () => trial.running(marker, processes)),
          ending,
        );
        await trial.gone(marker);
      });
    }

    verifies('kill.spinning', ending, async trial => {
      const box = await trial.open();
      const up = async (): Promise<void> => {
        await trial.until(
          async () => (await box.handle.readFile('up').catch(() => undefined)) && true,
          'it spins',
        );
      };
      const command = 'echo $BASHPID >up; while :; do :; done';
      expectEnded(await end(trial, box, ending, command, up), ending);
      const pid = Buffer.from(await box.handle.readFile('up'))
        .toString()
        .trim();
      // Seen from inside, where its number means the same as to itself.
      expect((await box.handle.exec(`kill -0 ${pid}`)).exitCode).not.toBe(0);
    });

    verifies('kill.breeding', ending, async trial => {
      const box = await trial.open();
      const marker = newMarker();
      const command = `while :; do bash -c 'sleep 0.01; true' ${marker} & bash -c 'true; true' ${marker}; done`;
      expectEnded(await end(trial, box, ending, command, () => trial.running(marker)), ending);
      await trial.gone(marker);
      for (let look = 0; look < 5; look++) expect(await trial.ground.processes(marker)).toEqual([]);
    });
  }
});

export const killRestProofs = proofs(verifies => {
  verifies('kill.flooding', async trial => {
    const box = await trial.open();
    const marker = newMarker();
    const heard = Promise.withResolvers<void>();
    const flood = box.run(`yes ${marker}`, { timeoutMs: LONG_MS, onOutput: () => heard.resolve() });
    // A process is seen before it has written anything.
    await trial.within(heard.promise, 'it writes');
    await trial.running(marker);
    box.passTime();
    const result = await trial.within(flood, 'the command is timed-out');
    expectEnded(result, 'timed-out');
    expect(result.stdoutTotal).toBeGreaterThan(0);
    await trial.gone(marker);
  });

  verifies('kill.rest', async trial => {
    const { run, handle } = await trial.open();
    const result = await run('echo BEFORE; sleep 30; echo AFTER; echo AFTER >after', { timeoutMs: 300 });
    expectEnded(result, 'timed-out');
    expect(result.stdout).toBe('BEFORE\n');
    expect(result.durationMs).toBeGreaterThanOrEqual(300);
    expect(await run('echo next')).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'next\n' });
    await expect(handle.readFile('after')).rejects.toMatchObject({ code: 'SANDBOX_FILE_MISSING' });
  });

  verifies('kill.others', async trial => {
    const box = await trial.open();
    const [ended, spared] = [newMarker(), newMarker()];
    const abort = new AbortController();
    const other = box.handle.exec(`sleep ${spelled(spared)}`, { signal: abort.signal });
    await trial.running(spared);
    expectEnded(
      await end(trial, box, 'timed-out', `sleep ${spelled(ended)}`, () => trial.running(ended)),
      'timed-out',
    );
    await trial.gone(ended);
    expect(await trial.ground.processes(spared)).not.toEqual([]);
    abort.abort();
    expect((await trial.within(other, 'the other ends')).outcome).toBe('canceled');
  });

  verifies('kill.next', async trial => {
    const box = await trial.open();
    for (const ending of ENDINGS) {
      const marker = newMarker();
      await end(trial, box, ending, `sleep ${spelled(marker)}; echo AFTER`, () => trial.running(marker));
      const next = await box.run('echo next; echo problem >&2; exit 4');
      expect(next).toMatchObject({ outcome: 'exited', exitCode: 4, stdout: 'next\n', stderr: 'problem\n' });
    }
  });
});
