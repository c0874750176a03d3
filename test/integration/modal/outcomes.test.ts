// The modal backend against a protocol double: everything that the service can answer instead of a sandbox, and what is
// said then. Nothing is left, and nothing is billed twice.
import { expect, it } from 'vitest';
import { createBackend } from '../../../src/backends/modal/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { isHermesError } from '../../../src/index.ts';
import { heldClock } from '../../fixtures/held-clock.ts';
import { useDraws } from '../../seed.ts';
import { describeWith } from '../../services/use-service.ts';
import { listed, type ModalGround, newSpec, runIn, useGround } from './ground.ts';

describeWith('bubblewrap', () => {
  const ground = useGround();
  refusals(ground);
  images(ground);
  creations(ground);
  wholeLives(ground);
});

function refusals(ground: () => ModalGround): void {
  it('protocol double: says how to install the package that is missing', async () => {
    const { home, settings } = ground();
    const missing = Object.assign(new Error("Cannot find package 'modal'"), { code: 'ERR_MODULE_NOT_FOUND' });
    const context = {
      ...{ environment: {}, cwd: home, tmpDir: home, home, clock: systemClock },
      ...{ variable: () => undefined, progress: () => undefined },
    };
    const backend = createBackend(await loadHermesConfig(settings), context, () => Promise.reject(missing));
    const fix = 'Install it where Hermes is: `npm install modal@0.11.1`.';
    expect(await backend.check()).toEqual([{ message: 'The package for Modal is not installed.', fix }]);
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining(fix),
    });
  });

  it('protocol double: says that the token is not accepted', async () => {
    const backend = await ground().make({ MODAL_TOKEN_SECRET: 'as-wrong' });
    const problem = { message: expect.stringContaining('does not accept the token') };
    expect(await backend.check()).toMatchObject([problem]);
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      details: { reason: 'bad-key' },
    });
  });

  it.each([
    ['quota', { status: 'RESOURCE_EXHAUSTED', says: 'Workspace budget limit reached' }, 'used up'],
    ['region-full', { status: 'RESOURCE_EXHAUSTED', says: 'Insufficient capacity' }, 'has no room'],
    [
      'rate-limit',
      { status: 'RESOURCE_EXHAUSTED', says: 'Too many requests', retryAfterSecs: 60 },
      'takes no more calls',
    ],
  ] as const)('protocol double: tells %s apart, and leaves nothing', async (reason, fault, words) => {
    const { double, make } = ground();
    const backend = await make();
    double.faults.add('SandboxCreateV2', fault);
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining(words),
      details: { reason },
    });
    expect(double.living()).toEqual([]);
  });

  it('protocol double: waits out a rate limit that is over soon', async () => {
    const { double, make } = ground();
    const backend = await make();
    const fault = { status: 'RESOURCE_EXHAUSTED', says: 'slow down', retryAfterSecs: 0.05 } as const;
    double.faults.add('SandboxCreateV2', fault, 2);
    const sandbox = await backend.create(newSpec());
    expect(double.living()).toHaveLength(1);
    await sandbox.destroy();
  });
}

function images(ground: () => ModalGround): void {
  it('protocol double: says that the image cannot be had', async () => {
    const backend = await ground().make({ TERMINAL_MODAL_IMAGE: 'missing/image:1' });
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringMatching(/missing\/image:1.*Mend terminal\.modal_image/s),
    });
    expect(ground().double.living()).toEqual([]);
  });

  it('protocol double: says so when an image is not ready for too long', async () => {
    const { double, make } = ground();
    const clock = heldClock(ms => ms === 20 * 60_000);
    const backend = await make({ TERMINAL_MODAL_IMAGE: 'slow' }, clock);
    const never = Promise.withResolvers<void>();
    double.faults.add('ImageJoinStreaming', { heldBy: never.promise });
    const [before, making] = [double.faults.count('ImageJoinStreaming'), backend.create(newSpec())];
    const failed = expect(making).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      details: { reason: 'unreachable' },
    });
    await expect.poll(() => double.faults.count('ImageJoinStreaming')).toBe(before + 1);
    clock.fire();
    await failed;
    never.resolve();
    // It goes on at the service, and this process listens to its end: two streams for each of the two layers.
    await expect.poll(() => double.faults.count('ImageJoinStreaming')).toBe(before + 4);
  });

  it('protocol double: tells the operator that a build takes long, and follows it over broken streams', async () => {
    const { double, make, told } = ground();
    const clock = heldClock(ms => ms === 2_000);
    const backend = await make({ TERMINAL_MODAL_IMAGE: 'large' }, clock);
    const going = Promise.withResolvers<void>();
    double.faults.add('ImageJoinStreaming', { heldBy: going.promise });
    double.faults.add('ImageJoinStreaming', { status: 'UNAVAILABLE' });
    const making = backend.create(newSpec());
    await expect.poll(() => clock.held()).toHaveLength(1);
    clock.fire();
    expect(told.at(-1)).toContain('prepares the image large');
    going.resolve();
    const sandbox = await making;
    expect(await runIn(sandbox, 'echo here')).toBe('here');
    await sandbox.destroy();
  });

  it('protocol double: runs in images whose entrypoint takes no command', async () => {
    const { make } = ground();
    const sandbox = await (await make({ TERMINAL_MODAL_IMAGE: 'entrypoint' })).create(newSpec());
    expect(await runIn(sandbox, 'echo here')).toBe('here');
    await sandbox.destroy();
  });

  it('protocol double: is no engine of this machine that somebody could take over', async () => {
    const backend = await ground().make();
    expect(await backend.inspect?.()).not.toHaveProperty('reach');
  });

  it('protocol double: refuses what it cannot do', async () => {
    const backend = await ground().make();
    const mount = { source: '/tmp', target: '/x', readOnly: true };
    await expect(backend.create(newSpec({ mounts: [mount] }))).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
    });
  });
}

function creations(ground: () => ModalGround): void {
  for (const times of [1, 4]) {
    it(`protocol double: makes no second one when ${times} answers of a creation are lost`, async () => {
      const { double, make } = ground();
      const backend = await make();
      double.faults.add('SandboxCreateV2', { lostAnswer: true }, times);
      const spec = newSpec({ session: 'telegram:1' });
      const sandbox = await backend.create(spec);
      expect(double.living().map(({ name }) => name)).toEqual([`hermes-${spec.id}`]);
      expect(await runIn(sandbox, 'echo here')).toBe('here');
      await sandbox.destroy();
      expect(double.living()).toEqual([]);
      double.faults.clear();
    });
  }

  it('protocol double: leaves nothing of one that cannot be made ready', async () => {
    const { double, make } = ground();
    const backend = await make();
    double.faults.add('TaskExecStart', { status: 'PERMISSION_DENIED' }, 1);
    await expect(backend.create(newSpec())).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
    expect(double.living()).toEqual([]);
  });

  it('protocol double: leaves nothing of one that was canceled while it was made', async () => {
    const { double, make } = ground();
    const backend = await make();
    const going = Promise.withResolvers<void>();
    double.faults.add('SandboxCreateV2', { heldBy: going.promise });
    const abort = new AbortController();
    const making = backend.create(newSpec(), { signal: abort.signal });
    making.catch(() => undefined);
    await expect.poll(() => double.faults.count('SandboxCreateV2')).toBeGreaterThan(0);
    abort.abort(new Error('not wanted any more'));
    going.resolve();
    await expect(making).rejects.toThrow('not wanted any more');
    expect(double.living()).toEqual([]);
  });

  it('protocol double: waits no longer for an answer than somebody wants it', async () => {
    const { double, make } = ground();
    const backend = await make();
    const { ref, destroy } = await backend.create(newSpec());
    const answer = Promise.withResolvers<void>();
    double.faults.add('SandboxGetFromNameV2', { heldBy: answer.promise });
    const abort = new AbortController();
    const asked = () => double.faults.count('SandboxGetFromNameV2');
    const [before, attaching] = [asked(), backend.attach(ref, { signal: abort.signal })];
    const given = expect(attaching).rejects.toThrow('given up');
    await expect.poll(asked).toBe(before + 1);
    abort.abort(new Error('given up'));
    // The answer is held until then.
    await given;
    answer.resolve();
    await destroy();
  });
}

function wholeLives(ground: () => ModalGround): void {
  it('protocol double: asks for what the settings and the spec say, and for no secrets', async () => {
    const { double, make } = ground();
    const backend = await make({ TERMINAL_MODAL_REGION: '["us-east", "eu-west"]' });
    const limits = { cpus: 0.5, memoryMiB: 512 };
    const spec = newSpec({ limits, network: 'none', session: 'a b', env: { TOKEN: 'x' }, idleSeconds: 600 });
    const sandbox = await backend.create(spec);
    expect(double.living()).toMatchObject([
      {
        ...{ network: 'blocked', milliCpu: 500, memoryMb: 512, regions: ['us-east', 'eu-west'] },
        ...{ timeoutSecs: 86_400, idleTimeoutSecs: 1200, secretIds: [] },
        tags: { 'hermes-installation': 'test', 'hermes-sandbox': spec.id },
      },
    ]);
    expect(JSON.stringify(double.living()[0]?.command)).not.toContain('TOKEN');
    expect(await listed(backend, 'test')).toEqual([sandbox.ref]);
    expect(await runIn(sandbox, 'echo $TOKEN')).toBe('x');
    await sandbox.destroy();
  });

  it('protocol double: works or says why, whatever calls go wrong, and leaves nothing', async () => {
    const { double, make } = ground();
    const draws = useDraws();
    const said: string[] = [];
    for (let round = 0; round < 4; round++) {
      const backend = await make();
      double.faults.addRandom(draws, 8);
      try {
        const sandbox = await backend.create(newSpec({ installation: 'chaos', persistent: true }));
        said.push(await runIn(sandbox, 'echo $((6 * 7))'));
        await sandbox.suspend?.();
        await (await backend.attach(sandbox.ref)).destroy();
      } catch (error) {
        if (!isHermesError(error)) throw error;
        said.push(error.code);
      }
      double.faults.clear();
      for (const ref of await listed(backend, 'chaos')) await backend.destroy?.(ref);
      expect([double.living(), double.snapshots()]).toEqual([[], []]);
    }
    const known = [
      '42',
      'UNAVAILABLE_BACKEND',
      'SANDBOX_NOT_CREATED',
      'SANDBOX_SPAWN_FAILED',
      'SANDBOX_GONE',
    ];
    expect(said.filter(each => !known.includes(each))).toEqual([]);
  });
}
