// What a run is asked to test for real, read from the environment: nothing unless it is named.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isLive, liveCredentials } from './live.ts';
import { NotAvailable } from './service.ts';

describe('live services', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('are those that HERMES_TEST_LIVE names, and none without it', () => {
    vi.stubEnv('HERMES_TEST_LIVE', undefined);
    expect(isLive('daytona')).toBe(false);
    vi.stubEnv('HERMES_TEST_LIVE', 'telegram, daytona');
    expect(['daytona', 'telegram', 'tel', ''].map(isLive)).toEqual([true, true, false, false]);
  });

  it('need their credentials, and say which are missing', () => {
    vi.stubEnv('LIVE_KEY', undefined);
    vi.stubEnv('HERMES_TEST_LIVE', undefined);
    const credentials = () => liveCredentials('daytona', ['LIVE_KEY']);
    expect(credentials).toThrow(NotAvailable);
    expect(credentials).toThrow('needs HERMES_TEST_LIVE=daytona, LIVE_KEY in the environment');
    vi.stubEnv('HERMES_TEST_LIVE', 'daytona');
    expect(credentials).toThrow('needs LIVE_KEY in the environment');
    vi.stubEnv('LIVE_KEY', 'secret');
    expect(credentials()).toEqual({ LIVE_KEY: 'secret' });
  });
});
