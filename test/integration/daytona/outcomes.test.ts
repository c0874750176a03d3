// The daytona backend against a protocol double: everything that the service can answer instead of a sandbox, and what is said
// then. Nothing is left, and nothing is billed twice.
import { expect, it } from 'vitest';
import { createBackend } from '../../../src/backends/daytona/index.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { isHermesError } from '../../../src/index.ts';
import { DAYTONA_REFUSALS, TOO_MANY } from '../../doubles/daytona-faults.ts';
import { skippingClock } from '../../fixtures/held-clock.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { useDraws } from '../../seed.ts';
import { describeWith } from '../../services/use-service.ts';
import { listed, newSpec, runIn, useGround } from './ground.ts';

const CREATE = /^POST \/api\/sandbox$/;

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: says how to install the packages that are missing', async () => {
    const { home, variables } = ground();
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    const config = await loadHermesConfig({ HOME: home, HERMES_HOME: home, ...variables });
    const context = {
      ...{ environment: {}, cwd: home, tmpDir: home, home, clock: systemClock },
      ...{ variable: () => undefined, progress: () => undefined },
    };
    const backend = createBackend(config, context, () => Promise.reject(missing));
    const fix = 'Run `npm install @daytona/api-client@0.218.0 @daytona/toolbox-api-client@0.218.0`.';
    expect(await backend.check()).toEqual([{ message: 'The client of Daytona is not installed.', fix }]);
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining(fix),
    });
  });

  it('protocol double: says that there is no key, and that one is not accepted', async () => {
    const without = await ground().make({ DAYTONA_API_KEY: undefined });
    expect(await without.check()).toMatchObject([{ fix: expect.stringContaining('DAYTONA_API_KEY') }]);
    const wrong = await ground().make({ DAYTONA_API_KEY: 'dtn_wrong' });
    await expect(wrong.create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.not.stringContaining('dtn_wrong'),
      details: { reason: 'bad-key' },
    });
  });

  it.each([
    ['quota', DAYTONA_REFUSALS.quota, 'quota'],
    ['region-full', DAYTONA_REFUSALS.regionFull, 'no room'],
    ['rate-limit', { ...TOO_MANY, limited: { by: 'sandbox-create', seconds: 60 } }, 'fewer calls'],
    ['refused', { status: 400, message: 'Image not allowed' }, 'terminal.daytona_image'],
  ] as const)('protocol double: tells %s apart, and leaves nothing', async (reason, fault, words) => {
    const { double, make } = ground();
    const backend = await make();
    const before = double.made;
    double.fault(CREATE, fault);
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining(words),
      details: { reason },
    });
    expect(double.made).toBe(before);
    expect(double.boxes).toEqual([]);
  });
});

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: waits out a rate limit that is over soon', async () => {
    const { double, make } = ground();
    double.fault(CREATE, { ...TOO_MANY, limited: { by: 'sandbox-create', seconds: 7 } }, { times: 2 });
    const pauses: number[] = [];
    const sandbox = await (await make({}, skippingClock(5_000, pauses))).create(newSpec());
    expect(pauses).toEqual([7_000, 7_000]);
    await sandbox.destroy();
  });

  it.each(['drop-after', 'drop'] as const)(
    'protocol double: makes one sandbox, not two, when the answer is lost (%s)',
    async fault => {
      const { double, make } = ground();
      const before = double.made;
      double.fault(CREATE, fault);
      const sandbox = await (await make()).create(newSpec());
      expect(double.made).toBe(before + 1);
      expect(await runIn(sandbox, 'echo $((6 * 7))')).toBe('42');
      await sandbox.destroy();
      expect(double.boxes).toEqual([]);
    },
  );

  it('protocol double: says so when the service fails again and again, and leaves nothing', async () => {
    const { double, make } = ground();
    double.fault(CREATE, DAYTONA_REFUSALS.broken, { times: 20 });
    await expect((await make()).create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      details: { reason: 'service' },
    });
    double.heal();
    expect(double.boxes).toEqual([]);
  });

  it('protocol double: says so when nobody answers', async () => {
    const backend = await ground().make({ DAYTONA_API_URL: 'http://127.0.0.1:9/api' });
    await expect(backend.create(newSpec())).rejects.toMatchObject({
      code: 'UNAVAILABLE_BACKEND',
      message: expect.stringContaining('cannot be reached at http://127.0.0.1:9/api'),
    });
  });
});

describeWith('bubblewrap', () => {
  const ground = useGround();

  it('protocol double: removes a sandbox that failed while it was made', async () => {
    const { double, make } = ground();
    double.failNext('the image cannot be pulled');
    await expect((await make()).create(newSpec())).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining('the image cannot be pulled'),
    });
    expect(double.boxes).toEqual([]);
  });

  it('protocol double: removes what was made when the caller gives up meanwhile', async () => {
    const { double, make } = ground();
    const abort = new AbortController();
    const answer = Promise.withResolvers<void>();
    double.fault(CREATE, { heldBy: answer.promise });
    const making = (await make()).create(newSpec(), { signal: abort.signal });
    const given = expect(making).rejects.toThrow('given up');
    await expect.poll(() => double.boxes.length).toBe(1);
    abort.abort(new Error('given up'));
    answer.resolve();
    await given;
    expect(double.boxes).toEqual([]);
  });

  it('protocol double: refuses a folder that cannot be made, and leaves nothing', async () => {
    const { double, make } = ground();
    await expect((await make()).create(newSpec({ cwd: '/proc/nowhere' }))).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
      message: expect.stringContaining('/proc/nowhere'),
    });
    expect(double.boxes).toEqual([]);
  });

  it('protocol double: leaves alone what has its name already', async () => {
    const { double, make } = ground();
    const backend = await make();
    const spec = newSpec();
    const sandbox = await backend.create(spec);
    await expect(backend.create(spec)).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    expect(double.boxes).toHaveLength(1);
    await sandbox.destroy();
  });
});

describeWith('bubblewrap', () => {
  const clock = manualClock();
  const ground = useGround({ clock });

  it('protocol double: is limited by its organisation, and goes on in the next minute', async () => {
    const { double, make } = ground();
    const backend = await make();
    double.limit('sandbox-create', 1);
    const first = await backend.create(newSpec());
    await expect(backend.create(newSpec())).rejects.toMatchObject({ details: { reason: 'rate-limit' } });
    expect(double.boxes).toHaveLength(1);
    clock.advance(60_000);
    const second = await backend.create(newSpec());
    await first.destroy();
    await second.destroy();
    expect(double.boxes).toEqual([]);
    double.limit('sandbox-create', 300);
  });

  it('protocol double: works or says why, whatever calls go wrong, and leaves nothing', async () => {
    const { double, make } = ground();
    const draws = useDraws();
    const backend = await make({}, { ...systemClock, after: hurry });
    const said: string[] = [];
    for (let round = 0; round < 4; round++) {
      double.faultAtRandom(draws, 6);
      try {
        const sandbox = await backend.create(newSpec({ installation: 'chaos' }));
        said.push(await runIn(sandbox, 'echo $((6 * 7))'));
        await sandbox.destroy();
      } catch (error) {
        if (!isHermesError(error)) throw error;
        said.push(error.code);
      }
      double.heal();
      for (const ref of await listed(backend, 'chaos')) await backend.destroy?.(ref);
      // One that is being destroyed is on no list, and is gone a little later.
      await expect.poll(() => double.boxes).toEqual([]);
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
});

/** As the system's clock, with pauses of less than five seconds a hundred times as fast. */
const hurry: Clock['after'] = (ms, fire, options) =>
  systemClock.after(ms < 5_000 ? ms / 100 : ms, fire, options);
