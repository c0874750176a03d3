// Proofs of cancelling: before the start, midway, after the end, and while waiting for a turn.
import { expect } from 'vitest';
import { LONG_MS, newMarker, spelled } from '../trial.ts';
import { proofs } from '../verifies.ts';

export const cancelProofs = proofs(verifies => {
  verifies('cancel.before', async trial => {
    const { run, handle } = await trial.open();
    const result = await run('echo ran; echo ran >ran', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ outcome: 'canceled', stdout: '', stdoutTotal: 0 });
    expect(result).not.toHaveProperty('exitCode');
    expect(await run('echo next')).toMatchObject({ outcome: 'exited', stdout: 'next\n' });
    await expect(handle.readFile('ran')).rejects.toMatchObject({ code: 'SANDBOX_FILE_MISSING' });
  });

  verifies('cancel.midway', async trial => {
    const { run } = await trial.open();
    const marker = newMarker();
    const abort = new AbortController();
    const running = run(`echo early; echo problem >&2; sleep ${spelled(marker)}; echo AFTER`, {
      signal: abort.signal,
    });
    await trial.running(marker);
    abort.abort(new Error('no more'));
    const result = await trial.within(running, 'the command is canceled');
    expect(result).toMatchObject({ outcome: 'canceled', stdout: 'early\n', stderr: 'problem\n' });
    expect(result).not.toHaveProperty('exitCode');
    expect(result).not.toHaveProperty('signal');
    await trial.gone(marker);
  });

  verifies('cancel.after', async trial => {
    const { run } = await trial.open();
    const marker = newMarker();
    const abort = new AbortController();
    const result = await run(`sleep ${marker} & echo done; exit 3`, { signal: abort.signal });
    abort.abort();
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, stdout: 'done\n' });
    expect(await run('echo next')).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'next\n' });
    await trial.running(marker);
  });

  verifies('cancel.waiting', async trial => {
    const { keep, handle } = await trial.open();
    const marker = newMarker();
    const first = new AbortController();
    const second = new AbortController();
    const running = keep(`sleep ${spelled(marker)}; true`, { signal: first.signal, timeoutMs: LONG_MS });
    await trial.running(marker);
    const waiting = keep('echo ran >ran', { signal: second.signal });
    second.abort();
    const result = await trial.within(waiting, 'the waiting command is canceled while the other runs');
    expect(result).toMatchObject({ outcome: 'canceled', stdoutTotal: 0 });
    expect(await trial.ground.processes(marker)).not.toEqual([]);
    first.abort();
    await trial.within(running, 'the first is canceled');
    expect(await keep('echo next')).toMatchObject({ outcome: 'exited', stdout: 'next\n' });
    await expect(handle.readFile('ran')).rejects.toMatchObject({ code: 'SANDBOX_FILE_MISSING' });
  });
});
