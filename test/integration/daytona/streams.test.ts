// The daytona backend against a protocol double with a long way to it: what a command costs, and what becomes of output when
// connections break or readers are slow.
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { SandboxHandle } from '../../../src/index.ts';
import { describeWith } from '../../services/use-service.ts';
import { type DaytonaGround, newSpec, useGround } from './ground.ts';

const LATENCY_MS = 30;
const ROUND_TRIP_MS = 2 * LATENCY_MS;

async function openHandle({ make }: DaytonaGround): Promise<SandboxHandle> {
  const sandbox = await (await make()).create(newSpec());
  return SandboxHandle.open({ sandbox, clock: systemClock, timeoutMs: 30_000 });
}

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: a repeated command costs one round trip and a few milliseconds, and no call of its own', async () => {
    const { double } = ground();
    await using handle = await openHandle(ground());
    for (const persistent of [false, true]) {
      await handle.exec('true', { persistent });
      double.setLatency(LATENCY_MS);
      const calls = double.calls.length;
      const times: number[] = [];
      for (let round = 0; round < 15; round++) {
        const start = performance.now();
        await handle.exec('echo hi', { persistent });
        times.push(performance.now() - start);
      }
      double.setLatency(0);
      // Another lane may have been opened, by six of them.
      expect(double.calls.length - calls).toBeLessThanOrEqual(6);
      // A third of them: the machine may be busy with something else.
      expect(times.toSorted((a, b) => a - b)[5]).toBeLessThan(ROUND_TRIP_MS + 15);
    }
  });

  it('protocol double: output arrives while the command runs, within a round trip', async () => {
    const { double } = ground();
    await using handle = await openHandle(ground());
    await handle.exec('true');
    double.setLatency(LATENCY_MS);
    const ages: number[] = [];
    await handle.exec('for i in 1 2 3 4 5; do date +%s%N; sleep 0.15; done', {
      onOutput: ({ data }) => {
        const said = Number(Buffer.from(data).toString().trim()) / 1e6;
        ages.push(performance.timeOrigin + performance.now() - said);
      },
    });
    double.setLatency(0);
    expect(ages).toHaveLength(5);
    expect(Math.min(...ages)).toBeLessThan(ROUND_TRIP_MS);
  });

  it('protocol double: is not dropped as a slow reader, however fast a command writes', async () => {
    await using handle = await openHandle(ground());
    await handle.exec('true');
    let total = 0;
    ground().double.setLatency(LATENCY_MS);
    const result = await handle.exec('head -c 5000000 /dev/zero; echo end >&2', {
      keepBytes: 1000,
      onOutput: async ({ data }) => {
        total += data.length;
        await new Promise(resolve => setImmediate(resolve));
      },
    });
    ground().double.setLatency(0);
    expect(result).toMatchObject({ outcome: 'exited', stdoutTotal: 5_000_000, stderr: 'end\n' });
    expect(total).toBe(5_000_004);
  });
});

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: keeps the output of a command that ran out of time', async () => {
    await using handle = await openHandle(ground());
    const result = await handle.exec('echo before; echo problem >&2; sleep 600', { timeoutMs: 400 });
    expect(result).toMatchObject({ outcome: 'timed-out', stdout: 'before\n', stderr: 'problem\n' });
  });

  it('protocol double: says so when the connection breaks, leaves no terminal behind, and goes on', async () => {
    const { double } = ground();
    await using handle = await openHandle(ground());
    const result = await handle.exec('echo before; sleep 600', { onOutput: () => double.cutStreams() });
    expect(result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'before\n' });
    expect(JSON.stringify(result)).toContain('the connection to the sandbox was lost');
    await expect.poll(() => double.box(handle.ref.name).ptys?.ids).toEqual([]);
    expect(await handle.exec('echo back')).toMatchObject({ outcome: 'exited', stdout: 'back\n' });
  });

  it('protocol double: leaves no terminal behind when it lets go of a sandbox', async () => {
    const { double } = ground();
    const handle = await openHandle(ground());
    await handle.exec('true');
    await handle.detach();
    await expect.poll(() => double.box(handle.ref.name).ptys?.ids).toEqual([]);
    await (await ground().make()).destroy?.(handle.ref);
  });
});
