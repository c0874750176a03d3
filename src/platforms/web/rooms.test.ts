import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { WebFolder } from './folder.ts';
import { Rooms } from './rooms.ts';

it('keeps few rooms open that nobody looks at, and finds what was said in the others', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-rooms-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const rooms = new Rooms(await WebFolder.open(home, clock), clock);
  const first = await rooms.enter('ada', 'first');
  await rooms.say(first, { from: 'you', text: 'remember me' });
  const seen = await rooms.enter('ada', 'seen');
  seen.viewers.add({ show: () => {} });
  for (let at = 0; at < 300; at++) {
    await rooms.enter('ada', `name-${at}`);
    ahead += 60_000;
  }
  expect(rooms.size).toBeLessThanOrEqual(101);
  expect(await rooms.enter('ada', 'seen')).toBe(seen);
  const again = await rooms.enter('ada', 'first');
  expect(again).not.toBe(first);
  expect(again.mailbox.since(undefined).entries).toMatchObject([{ text: 'remember me' }]);
});
