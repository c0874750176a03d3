// Proofs about the environment: what commands are given, and that no secret shows anywhere else (P7).
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { newMarker, spelled } from '../trial.ts';
import { proofs } from '../verifies.ts';

/** Everything that a command can read about the environment of its shell, the shell's ancestors and the others. */
const LOOK_AROUND = `env; declare -p; cat /proc/self/environ
pid=$$; while [ "\${pid:-0}" -gt 1 ]; do
  cat "/proc/$pid/environ"; pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status")
  tr '\\0' ' ' <"/proc/$pid/cmdline" | grep -q vitest && break
done 2>/dev/null; true`;

export const envProofs = proofs(verifies => {
  verifies('env.spec', async trial => {
    const odd = `it's "a" $HOME\nline=2 ünï`;
    const { run } = await trial.open({ env: { GIVEN: 'value', ODD: odd } });
    expect((await run('printf %s "$GIVEN,$ODD"; bash -c \'printf %s ",$GIVEN"\'')).stdout).toBe(
      `value,${odd},value`,
    );
  });

  verifies('env.planted', async trial => {
    const { run } = await trial.open();
    const { stdout, outcome } = await run(LOOK_AROUND);
    expect(outcome).toBe('exited');
    expect(stdout).toContain('PATH=');
    expect(stdout).not.toContain(trial.ground.plantedSecret);
  });

  verifies('env.arguments', async trial => {
    const secret = randomBytes(16).toString('hex');
    const marker = newMarker();
    const { run, handle } = await trial.open({ env: { GIVEN: secret } });
    const abort = new AbortController();
    const running = run(`: "$GIVEN"; sleep ${spelled(marker)}; true`, { signal: abort.signal });
    await handle.start(`exec sleep ${spelled(marker)}`);
    await trial.running(marker, 2);
    expect(await trial.ground.processes(secret)).toEqual([]);
    abort.abort();
    await trial.within(running, 'it is canceled');
  });
});
