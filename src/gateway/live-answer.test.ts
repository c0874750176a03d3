import { expect, it } from 'vitest';
import { manualClock } from '../../test/fixtures/manual-clock.ts';
import { createLog } from '../base/log.ts';
import type { Delivery } from './delivery.ts';
import type { Link } from './links.ts';
import { LiveAnswer } from './live-answer.ts';

function open() {
  const clock = manualClock();
  const log = createLog({
    level: 'silent',
    destination: { write() {} },
    redact: line => line,
    now: clock.now,
  });
  let signs = 0;
  const typing = async (): Promise<void> => void signs++;
  const live = new LiveAnswer({
    world: { clock, log, redact: text => text },
    // Nothing is written in these tests, and the platform has nothing but the sign.
    delivery: {} as Delivery,
    link: () => ({ connection: { typing }, capabilities: { edits: false } }) as unknown as Link,
    to: { address: { platform: 'telegram', chat: { id: '1', kind: 'private' } }, sessionId: 's' },
  });
  return { clock, live, signs: () => signs };
}

it('shows no sign of typing for an answer that is there at once', async () => {
  const { clock, live, signs } = open();
  clock.advance(700);
  await live.close();
  clock.advance(60_000);
  expect(signs()).toBe(0);
});

it('shows that it is typing as long as the answer is awaited', async () => {
  const { clock, live, signs } = open();
  clock.advance(1000);
  expect(signs()).toBe(1);
  clock.advance(4000);
  expect(signs()).toBe(2);
  await live.close();
  clock.advance(60_000);
  expect(signs()).toBe(2);
});
