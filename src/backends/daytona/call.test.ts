import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../base/clock.ts';
import { call } from './call.ts';
import { ApiFault } from './faults.ts';

/** As the client throws it, with the key in the request. */
function clientError(status?: number, headers: Record<string, string> = {}): Error {
  const response = status === undefined ? {} : { response: { status, data: { message: 'said' }, headers } };
  const config = { headers: { Authorization: 'Bearer dtn_secret' } };
  return Object.assign(new Error('failed'), { isAxiosError: true, code: 'ECONNRESET', config, ...response });
}

async function tried(errors: Error[], repeat: 'safe' | 'once') {
  const pauses: number[] = [];
  const clock: Clock = {
    ...systemClock,
    after(ms, fire) {
      pauses.push(ms);
      queueMicrotask(fire);
      return { cancel: () => {} };
    },
  };
  const done = call(
    async () => {
      const error = errors.shift();
      if (error) throw error;
      return { data: 'done' };
    },
    { clock, repeat },
  );
  return { pauses, result: await done.catch((error: unknown) => error) };
}

describe('a call', () => {
  it('is made again where that does no harm', async () => {
    expect(await tried([clientError(503), clientError()], 'safe')).toEqual({
      result: 'done',
      pauses: [200, 400],
    });
    const { result } = await tried([clientError(503)], 'once');
    expect(result).toMatchObject({ status: 503, isAmbiguous: true });
  });

  it('waits as long as a rate limit says, unless that is too long', async () => {
    const named = { 'retry-after-sandbox-create': '3', 'retry-after-authenticated': '2' };
    expect(await tried([clientError(429, named)], 'once')).toEqual({ result: 'done', pauses: [3000] });
    const long = { 'retry-after-sandbox-create': '60' };
    expect(await tried([clientError(429, long)], 'once')).toMatchObject({ pauses: [] });
    expect(await tried([clientError(429, { 'retry-after': '4' })], 'once')).toMatchObject({ pauses: [4000] });
  });

  it('gives up after a while, and does not hand the key on', async () => {
    const { result } = await tried(
      Array.from({ length: 9 }, () => clientError()),
      'safe',
    );
    expect(result).toBeInstanceOf(ApiFault);
    expect(JSON.stringify([result, (result as ApiFault).cause])).not.toContain('dtn_secret');
  });
});
