// The daytona backend against a protocol double: everything that the service can answer instead of a sandbox, and what is said
// then. Nothing is left, and nothing is billed twice.
import { expect, it } from 'vitest';
import { createBackend } from '../../../src/backends/daytona/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { DAYTONA_REFUSALS } from '../../doubles/daytona-faults.ts';
import { describeWith } from '../../services/use-service.ts';
import { newSpec, runIn, useGround } from './ground.ts';

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
    ['rate-limit', { status: 429, message: 'Too Many Requests', retryAfterSeconds: 60 }, 'fewer calls'],
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
    double.fault(
      CREATE,
      { status: 429, message: 'Too Many Requests', retryAfterSeconds: 0.05 },
      { times: 2 },
    );
    const sandbox = await (await make()).create(newSpec());
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
    // The answer is still on its way when it is given up.
    double.setLatency(200);
    const making = (await make()).create(newSpec(), { signal: abort.signal });
    await expect.poll(() => double.boxes.length).toBe(1);
    abort.abort(new Error('given up'));
    double.setLatency(0);
    await expect(making).rejects.toThrow('given up');
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
