// Proofs about a gateway that is gone, or hangs: what it was running ends, what it had declared goes on (P6).
import { expect } from 'vitest';
import type { Sandbox, SandboxProcess } from '../../../src/index.ts';
import { LONG_MS, newMarker, spelled } from '../trial.ts';
import { proofs } from '../verifies.ts';

/** The same sandbox, and a way to end the input of all that was started in it, as the end of a gateway does. */
function leavable(sandbox: Sandbox): { readonly sandbox: Sandbox; leave(): void } {
  const processes: SandboxProcess[] = [];
  return {
    sandbox: {
      ...sandbox,
      spawn: async (argv, options) => {
        const process = await sandbox.spawn(argv, options);
        processes.push(process);
        return process;
      },
    },
    leave: () => {
      for (const process of processes) process.end();
    },
  };
}

const tree = (marker: string): string =>
  `( setsid sleep ${spelled(marker)} & ); bash -c 'sleep ${spelled(marker)}; true'; echo AFTER`;

export const crashProofs = proofs(verifies => {
  verifies('crash.ends', async trial => {
    const { sandbox, leave } = leavable(await trial.create());
    const { handle, run } = await trial.enter(sandbox);
    const [ended, kept] = [newMarker(), newMarker()];
    await handle.start(`sleep ${kept}`);
    const lost = run(tree(ended), { timeoutMs: LONG_MS });
    await trial.running(ended, 2);
    leave();
    await trial.gone(ended);
    expect((await trial.within(lost, 'the command is over')).stdout).not.toContain('AFTER');
    expect(await trial.ground.processes(kept)).not.toEqual([]);
  });

  verifies('crash.found', async trial => {
    const sandbox = await trial.create();
    const earlier = await trial.enter(sandbox, { owner: 'gateway-1' });
    const [ended, kept] = [newMarker(), newMarker()];
    await earlier.handle.start(`sleep ${kept}`);
    const lost = earlier.run(tree(ended), { timeoutMs: LONG_MS });
    await trial.running(ended, 2);
    const again = await trial.ground.backend.attach(sandbox.ref);
    const later = await trial.enter(again, { owner: 'gateway-2', endEarlier: 'gateway-*' });
    expect(later.handle.takeCutOff()).toBe(1);
    await trial.gone(ended);
    expect(await later.run('echo next')).toMatchObject({ outcome: 'exited', stdout: 'next\n' });
    expect(await trial.ground.processes(kept)).not.toEqual([]);
    await trial.within(lost, 'the earlier gateway hears of it');
  });
});
