import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../../test/fixtures/manual-clock.ts';
import { within } from '../../../../test/wait.ts';
import { HermesError } from '../../../base/errors.ts';
import { boundedArea } from './bounded-area.ts';

const none = new AbortController().signal;

describe('an area', () => {
  it('that hangs is a finding when its time is up, and is asked to end', async () => {
    const clock = manualClock();
    const late: string[] = [];
    let given: AbortSignal | undefined;
    const report = boundedArea(
      ...(['model', { clock, signal: none }] as const),
      signal => {
        given = signal;
        return new Promise(() => undefined);
      },
      () => late.push('late'),
    );
    clock.advance(30_000);
    expect(await within(report, 'the area ends')).toMatchObject({
      area: 'model',
      said: 'timed out',
      found: [{ severity: 'error' }],
    });
    expect([given?.aborted, late]).toEqual([true, ['late']]);
    expect(clock.pending()).toEqual([]);
  });

  it.each([
    [new HermesError('UNAVAILABLE_STORE', 'The state is locked.'), 'The state is locked.'],
    [new Error('odd'), 'Unexpected failure: odd. Please report it with the log.'],
    [undefined, 'Unexpected failure: undefined. Please report it with the log.'],
  ])('that fails with %s is a finding', async (error, message) => {
    const look = () => Promise.reject(error);
    const report = await boundedArea('disk', { clock: manualClock(), signal: none }, look, () => undefined);
    expect(report).toMatchObject({ area: 'disk', said: 'check failed', found: [{ message }] });
  });

  it('ends with the reason of the person who has had enough', async () => {
    const enough = new AbortController();
    const options = { clock: manualClock(), signal: enough.signal };
    const report = boundedArea(
      'disk',
      options,
      () => new Promise(() => undefined),
      () => undefined,
    );
    enough.abort(new Error('Ctrl-C'));
    await expect(report).rejects.toThrow('Ctrl-C');
  });
});
