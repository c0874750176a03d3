// When a session starts afresh by itself.

import { describe, expect, it } from 'vitest';
import { fc } from '../../test/property.ts';
import { type ResetPolicy, resetReason } from './session-reset.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Local time of this machine, as the gateway counts. */
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 0, day, hour, minute).getTime();
const policy = (over: Partial<ResetPolicy> = {}): ResetPolicy => ({
  mode: 'both',
  atHour: 4,
  idleMinutes: 1440,
  ...over,
});
const life = (activeAt: number, now: number, processes = 0) => ({ activeAt, now, processes });

describe('resetReason', () => {
  it.each<
    [what: string, over: Partial<ResetPolicy>, activeAt: number, now: number, reason: string | undefined]
  >([
    ['goes on within the day', {}, at(10, 9), at(10, 23), undefined],
    ['goes on after midnight', {}, at(10, 23), at(11, 3, 59), undefined],
    ['is new once the hour has passed', {}, at(10, 23), at(11, 4), 'daily'],
    ['is not new twice a day', {}, at(11, 4), at(11, 23), undefined],
    ['is new after a day without a message', { mode: 'idle' }, at(10, 9), at(11, 9), 'idle'],
    ['is not new a minute earlier', { mode: 'idle' }, at(10, 9), at(11, 8, 59), undefined],
    ['is new after a short idle time', { idleMinutes: 5 }, at(10, 9), at(10, 9, 5), 'idle'],
    ['does not look at the hour', { mode: 'idle' }, at(10, 23), at(11, 5), undefined],
    ['does not look at idle time', { mode: 'daily', idleMinutes: 1 }, at(10, 9), at(10, 23), undefined],
    ['never is', { mode: 'none', idleMinutes: 1 }, at(1, 1), at(20, 5), undefined],
    ['counts days from midnight', { mode: 'daily', atHour: 0 }, at(10, 23, 59), at(11, 0), 'daily'],
  ])('%s', (_what, over, activeAt, now, reason) => {
    expect(resetReason(policy(over), life(activeAt, now))).toBe(reason);
  });

  it('never resets under running background processes', () => {
    expect(resetReason(policy(), life(at(1, 1), at(20, 5), 1))).toBeUndefined();
    expect(resetReason(policy(), life(at(1, 1), at(20, 5), 0))).toBe('idle');
  });

  it('is daily at most once between one hour and the same of the next day, also when the clocks change', () => {
    const year = fc.integer({ min: at(1, 0), max: at(365, 0) });
    fc.assert(
      fc.property(year, fc.integer({ min: 0, max: 23 }), (now, atHour) => {
        const daily = policy({ mode: 'daily', atHour });
        expect(resetReason(daily, life(now, now))).toBeUndefined();
        expect(resetReason(daily, life(now - 26 * HOUR, now))).toBe('daily');
      }),
    );
  });
});
