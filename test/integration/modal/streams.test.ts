// The modal backend against a protocol double with a long way to it: how many calls a command costs, and what becomes of output when
// streams break, tokens expire or the way is cut.
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { SandboxHandle } from '../../../src/index.ts';
import type { ModalDouble } from '../../doubles/modal-server.ts';
import { heldClock } from '../../fixtures/held-clock.ts';
import { describeWith } from '../../services/use-service.ts';
import { type ModalGround, newSpec, useGround } from './ground.ts';

const LATENCY_MS = 30;

/** Calls that are answered when something ends, and are made again after a minute. */
const WAITS = ['SandboxWaitV2', 'TaskExecWait'];

async function open(ground: ModalGround, clock: Clock = systemClock): Promise<SandboxHandle> {
  const sandbox = await (await ground.make()).create(newSpec());
  return SandboxHandle.open({ sandbox, clock, timeoutMs: 45_000 });
}

describeWith('bubblewrap', () => {
  const ground = useGround({ latencyMs: LATENCY_MS });
  costs(ground);
  faults(ground);
});

function costs(ground: () => ModalGround): void {
  it('protocol double: a repeated command costs one call, and output comes without another', async () => {
    const { double } = ground();
    // Lanes that are not needed for a while stay.
    await using handle = await open(
      ground(),
      heldClock(ms => ms === 15_000),
    );
    for (const persistent of [false, true]) {
      // A lane takes the next command a moment after it has told the end of the last one; with four there is always one.
      await Promise.all(Array.from({ length: 4 }, () => handle.exec('true', { persistent })));
      const before = double.faults.calls.length;
      for (let round = 0; round < 15; round++) await handle.exec('echo hi', { persistent });
      const calls = double.faults.calls.slice(before).filter(method => !WAITS.includes(method));
      expect(calls).toEqual(Array(15).fill('TaskExecStdinWrite'));
    }
  });

  it('protocol double: output arrives while the command runs', async () => {
    await using handle = await open(ground());
    let told: Promise<unknown> | undefined;
    const result = await handle.exec('echo first; until [ -e go ]; do sleep 0.02; done; echo last', {
      onOutput: () => {
        told ??= handle.writeFile('go', '');
      },
    });
    await told;
    expect(result).toMatchObject({ outcome: 'exited', stdout: 'first\nlast\n' });
  });
}

function faults(ground: () => ModalGround): void {
  it('protocol double: loses and repeats nothing when streams break and tokens expire', async () => {
    const { double } = ground();
    await using handle = await open(ground());
    let pieces = 0;
    const result = await handle.exec('for i in $(seq 200); do echo "line $i"; sleep 0.005; done', {
      onOutput: () => {
        pieces++;
        if (pieces % 20 === 0) double.dropStreams();
        if (pieces === 50) double.expireTokens();
      },
    });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(result.stdout).toBe(Array.from({ length: 200 }, (_, at) => `line ${at + 1}\n`).join(''));
  });

  it('protocol double: goes on when the network was away for a moment', async () => {
    const { double } = ground();
    await using handle = await open(ground());
    let back: Promise<unknown> | undefined;
    const result = await handle.exec('echo before; until [ -e go ]; do sleep 0.02; done; echo after', {
      onOutput: () => {
        back ??= cutForAMoment(double).then(() => handle.writeFile('go', ''));
      },
    });
    await back;
    expect(result).toMatchObject({ outcome: 'exited', stdout: 'before\nafter\n' });
  });

  it('protocol double: a silent command is not lost, whatever its streams and tokens do meanwhile', async () => {
    const { double } = ground();
    await using handle = await open(ground());
    const silent = handle.exec('until [ -e go ]; do sleep 0.02; done; echo after');
    const reads = () => double.faults.count('TaskExecStdioRead');
    for (let round = 0; round < 5; round++) {
      if (round === 2) double.expireTokens();
      const before = reads();
      double.dropStreams();
      await expect.poll(reads).toBeGreaterThan(before);
    }
    await handle.writeFile('go', '');
    expect(await silent).toMatchObject({ outcome: 'exited', stdout: 'after\n' });
  });

  it('protocol double: says so when the network stays away, and finds its sandbox when it is back', async () => {
    const { double } = ground();
    const backend = await ground().make();
    const sandbox = await backend.create(newSpec());
    const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
    const result = await handle.exec('echo before; sleep 600', { onOutput: () => double.cut() });
    expect(result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'before\n' });
    expect(result.notices.join(' ')).toContain('connection');
    double.mend();
    // The gRPC client tries again by itself after a while.
    await expect.poll(() => backend.attach(sandbox.ref)).toBeDefined();
    const again = await SandboxHandle.open({
      sandbox: await backend.attach(sandbox.ref),
      clock: systemClock,
    });
    expect(await again.exec('echo back')).toMatchObject({ stdout: 'back\n' });
    await again.destroy();
    expect(double.living()).toEqual([]);
  });
}

/** Until the SDK has found out. */
async function cutForAMoment(double: ModalDouble): Promise<void> {
  const before = double.refused();
  double.cut();
  await expect.poll(() => double.refused()).toBeGreaterThan(before);
  double.mend();
}
