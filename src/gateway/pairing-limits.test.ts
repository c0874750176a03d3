// How much strangers may ask for, and what wrong codes cost.
import { describe, expect, it } from 'vitest';
import type { ApprovalFailures, Pairing } from '../store/pairings.ts';
import { afterWrongCode, roomFor, triesLeft } from './pairing-limits.ts';

const MINUTE = 60_000;
const NOW = 100 * MINUTE;

const request = (userId: string, ageMinutes: number): Pairing => ({
  id: userId,
  userId,
  ...{ platform: 'telegram', name: userId, codeHash: '', event: {}, state: 'pending', decidedBy: null },
  ...{ createdAt: NOW - ageMinutes * MINUTE, askedAt: NOW, expiresAt: NOW + MINUTE },
});

describe('roomFor', () => {
  const quiet = () => 1;

  it('has three places', () => {
    expect(roomFor([request('a', 1), request('b', 1)], quiet, NOW)).toEqual({ kind: 'free' });
  });

  it('lets nobody be driven out who has just come', () => {
    const three = [request('a', 9), request('b', 1), request('c', 1)];
    expect(roomFor(three, quiet, NOW)).toEqual({ kind: 'none', freeAt: NOW + MINUTE });
  });

  it('takes the place of the oldest one after ten minutes, so that three cannot keep a fourth out for an hour', () => {
    const three = [request('a', 10), request('b', 30), request('c', 1)];
    expect(roomFor(three, quiet, NOW)).toMatchObject({ kind: 'taken', from: { userId: 'b' } });
  });

  it('takes the place of the most demanding person at once', () => {
    const three = [request('a', 9), request('b', 1), request('c', 1)];
    const demand = ({ userId }: Pairing) => (userId === 'c' ? 100 : userId === 'b' ? 50 : 1);
    expect(roomFor(three, demand, NOW)).toMatchObject({ kind: 'taken', from: { userId: 'c' } });
    expect(roomFor(three, ({ userId }) => (userId === 'c' ? 5 : 1), NOW)).toMatchObject({ kind: 'none' });
  });
});

describe('afterWrongCode', () => {
  const none: ApprovalFailures = { platform: 'telegram', failures: 0, lastAt: NOW, lockedUntil: null };
  const wrong = (times: number, start = none): ApprovalFailures =>
    Array.from({ length: times }).reduce<ApprovalFailures>(before => afterWrongCode(before, NOW), start);

  it('locks with the fifth for an hour', () => {
    expect(wrong(4)).toEqual({ ...none, failures: 4 });
    expect(triesLeft(wrong(4))).toBe(1);
    expect(wrong(5)).toEqual({ ...none, failures: 0, lockedUntil: NOW + 60 * MINUTE });
  });

  it('forgets those of more than an hour ago', () => {
    expect(afterWrongCode({ ...wrong(4), lastAt: NOW - 60 * MINUTE }, NOW).failures).toBe(1);
  });
});
