// Proofs of what a command comes to: exit codes and signals.
import { expect } from 'vitest';
import type { RequirementId } from '../requirements.ts';
import { proofs } from '../verifies.ts';

const SIGNALS: readonly (readonly [RequirementId, string])[] = [
  ['signal.kill', 'KILL'],
  ['signal.term', 'TERM'],
  ['signal.int', 'INT'],
  ['signal.pipe', 'PIPE'],
  ['signal.abort', 'ABRT'],
];

export const exitProofs = proofs(verifies => {
  for (const code of [0, 1, 3, 124, 255]) {
    verifies('exit.codes', String(code), async trial => {
      const { run } = await trial.open();
      const result = await run(`echo said; exit ${code}`);
      expect(result).toMatchObject({ outcome: 'exited', exitCode: code, stdout: 'said\n', stderr: '' });
      expect(result).not.toHaveProperty('signal');
    });
  }

  verifies('exit.above-128', async trial => {
    const { run } = await trial.open();
    for (const code of [130, 137, 141, 143]) {
      const result = await run(`echo said; exit ${code}`);
      expect(result).toMatchObject({ outcome: 'exited', exitCode: code, stdout: 'said\n' });
    }
  });

  verifies('exit.no-program', async trial => {
    const { run, handle } = await trial.open();
    expect(await run('hermes-no-such-program')).toMatchObject({
      outcome: 'exited',
      exitCode: 127,
      stdout: '',
    });
    await handle.writeFile('plain', 'x');
    expect(await run('./plain')).toMatchObject({ outcome: 'exited', exitCode: 126, stdout: '' });
  });

  verifies('exit.duration', async trial => {
    const { run } = await trial.open();
    const { durationMs } = await run('sleep 0.2');
    expect(durationMs).toBeGreaterThanOrEqual(200);
    expect(durationMs).toBeLessThan(trial.patienceMs);
  });
});

export const signalProofs = proofs(verifies => {
  for (const [id, name] of SIGNALS) {
    verifies(id, async trial => {
      const { run } = await trial.open();
      const result = await run(`ulimit -c 0; echo said; kill -${name} $$; echo not reached`);
      expect(result).toMatchObject({ outcome: 'signaled', signal: `SIG${name}`, stdout: 'said\n' });
      expect(result).not.toHaveProperty('exitCode');
      expect(await run('echo next')).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'next\n' });
    });
  }
});
