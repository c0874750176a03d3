// The daytona backend against a protocol double: how many messages a command costs, and what becomes of output when
// connections break or readers are slow.
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { SandboxHandle } from '../../../src/index.ts';
import { heldClock } from '../../fixtures/held-clock.ts';
import { describeWith } from '../../services/use-service.ts';
import { type DaytonaGround, newSpec, useGround } from './ground.ts';

const LATENCY_MS = 30;

async function openHandle({ make }: DaytonaGround, clock: Clock = systemClock): Promise<SandboxHandle> {
  const sandbox = await (await make()).create(newSpec());
  return SandboxHandle.open({ sandbox, clock, timeoutMs: 45_000 });
}

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: a repeated command costs one message and no call of its own', async () => {
    const { double } = ground();
    // Lanes that are not needed for a while stay.
    await using handle = await openHandle(
      ground(),
      heldClock(ms => ms === 15_000),
    );
    for (const persistent of [false, true]) {
      // A lane takes the next command a moment after it has told the end of the last one; with four there is always one.
      await Promise.all(Array.from({ length: 4 }, () => handle.exec('true', { persistent })));
      const [calls, typed] = [double.calls.length, double.typed];
      for (let round = 0; round < 15; round++) await handle.exec('echo hi', { persistent });
      expect([double.calls.length - calls, double.typed - typed]).toEqual([0, 15]);
    }
  });

  it('protocol double: output arrives while the command runs', async () => {
    await using handle = await openHandle(ground());
    let told: Promise<unknown> | undefined;
    const result = await handle.exec('echo first; until [ -e go ]; do sleep 0.02; done; echo last', {
      onOutput: () => {
        told ??= handle.writeFile('go', '');
      },
    });
    await told;
    expect(result).toMatchObject({ outcome: 'exited', stdout: 'first\nlast\n' });
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
    const clock = heldClock(ms => ms === 3_600_000);
    await using handle = await openHandle(ground(), clock);
    let heard = '';
    const result = await handle.exec('echo before; echo problem >&2; sleep 600', {
      timeoutMs: 3_600_000,
      onOutput: ({ data }) => {
        heard += Buffer.from(data).toString();
        if (heard.length === 'before\nproblem\n'.length) clock.fire();
      },
    });
    expect(result).toMatchObject({ outcome: 'timed-out', stdout: 'before\n', stderr: 'problem\n' });
  });

  it('protocol double: says so when the connection breaks, leaves no terminal behind, and goes on', async () => {
    const { double } = ground();
    await using handle = await openHandle(ground());
    const background = await handle.start('sleep 600');
    const result = await handle.exec('echo before; sleep 600', { onOutput: () => double.cutStreams() });
    expect(result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'before\n' });
    expect(JSON.stringify(result)).toContain('the connection to the sandbox was lost');
    await expect.poll(() => double.box(handle.ref.name).ptys?.ids).toEqual([]);
    expect(await handle.exec('echo back')).toMatchObject({ outcome: 'exited', stdout: 'back\n' });
    // The service kills what belongs to a terminal with it; what runs in the background does not.
    expect(await background.poll()).toEqual({ state: 'running' });
    await background.kill();
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
