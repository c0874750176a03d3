import { expect, it } from 'vitest';
import { HermesError } from '../base/errors.ts';
import { afterFailure, LONGEST_WAIT_MS } from './after-failure.ts';

const away = new HermesError('UNAVAILABLE_PLATFORM', 'away');
const limited = new HermesError('UNAVAILABLE_PLATFORM', 'wait', { details: { retryAfterMs: 7000 } });
const cut = new HermesError('UNAVAILABLE_PLATFORM', 'cut', { details: { mayBeDelivered: true } });
const blocked = new HermesError('USAGE_NOT_DELIVERED', 'blocked');

it('tries again with growing pauses, up to five minutes', () => {
  const pauses = [1, 2, 3, 30].map(attempts => afterFailure(away, { attempts, ageMs: 0 }));
  expect(pauses.map(step => step.kind === 'again' && step.inMs)).toEqual([1000, 2000, 4000, 300_000]);
});

it('keeps the time that the server asks for', () => {
  expect(afterFailure(limited, { attempts: 9, ageMs: 0 })).toMatchObject({ inMs: 7000, isAskedFor: true });
});

it('knows when it may have arrived all the same', () => {
  expect(afterFailure(cut, { attempts: 1, ageMs: 0 }).mayHaveArrived).toBe(true);
  expect(afterFailure(away, { attempts: 1, ageMs: 0 }).mayHaveArrived).toBe(false);
});

it('gives up what is refused for good, what is a day old, and what nobody foresaw', () => {
  expect(afterFailure(blocked, { attempts: 1, ageMs: 0 }).kind).toBe('give-up');
  expect(afterFailure(away, { attempts: 1, ageMs: LONGEST_WAIT_MS }).kind).toBe('give-up');
  expect(afterFailure(new Error('?'), { attempts: 4, ageMs: 0 }).kind).toBe('again');
  expect(afterFailure(new Error('?'), { attempts: 5, ageMs: 0 }).kind).toBe('give-up');
});
