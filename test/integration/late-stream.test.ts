// The streams of a command come independently of each other: the end of one may be here long after the end of the other.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Backend, SandboxProcess } from '../../src/index.ts';
import { column } from '../conformance/columns/local.ts';
import { Trial } from '../conformance/trial.ts';
import { PATIENCE_MS, within } from '../wait.ts';

const READY = ' ready\n';

/** Standard error is held back until the lane has said on standard output that it can take the next command. */
function withLateErrors(process: SandboxProcess, onReady: () => void): SandboxProcess {
  return {
    ...process,
    onOutput: listener => {
      const held: Uint8Array[] = [];
      let isHeld = true;
      // A line may come in pieces.
      let end = '';
      process.onOutput(async (stream, data) => {
        if (stream === 'stderr') {
          if (isHeld) held.push(data);
          else await listener(stream, data);
          return;
        }
        isHeld = true;
        end = (end + Buffer.from(data).toString('latin1')).slice(-READY.length);
        await listener(stream, data);
        if (end !== READY) return;
        onReady();
        for (let turn = 0; turn < 50; turn++) await nextTurn();
        for (let each = held.shift(); each; each = held.shift()) await listener('stderr', each);
        // What is later still has nothing to wait for.
        isHeld = false;
      });
    },
  };
}

it('a command ends although its lane could take the next one before its last word was here', async () => {
  const ground = await column.open();
  const trial = new Trial({ ground, mode: 'one-shot', patienceMs: PATIENCE_MS });
  onTestFinished(async () => {
    await trial.close();
    await ground.close();
  });
  let onReady = (): void => {};
  const backend: Backend = {
    ...ground.backend,
    create: async (spec, options) => {
      const sandbox = await ground.backend.create(spec, options);
      const spawn: typeof sandbox.spawn = async (argv, more) =>
        withLateErrors(await sandbox.spawn(argv, more), () => onReady());
      return { ...sandbox, spawn };
    },
  };
  const { run } = await trial.open({}, backend);
  const next = Promise.withResolvers<ReturnType<typeof run>>();
  onReady = () => {
    onReady = () => {};
    next.resolve(run('echo next'));
  };
  // What it leaves behind makes the lane say later, and by itself, that it is free.
  const first = run('sleep 300 >/dev/null 2>&1 & echo first; echo problem >&2');
  expect(await within(first, 'the first command is over')).toMatchObject({
    ...{ outcome: 'exited', stdout: 'first\n', stderr: 'problem\n' },
  });
  expect(await within(next.promise, 'the next command is started')).toMatchObject({ stdout: 'next\n' });
});
