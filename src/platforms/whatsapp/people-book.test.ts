// Numbers and other ids of one person, also over a restart.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../base/log.ts';
import { PeopleBook } from './people-book.ts';

const phone = '491701234567';
const userId = 'DE.13491208655302741918';
const log = createLog({ level: 'silent', destination: { write() {} }, redact: text => text, now: () => 0 });

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-book-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('knows somebody who hides their number later by it, also after a restart', async () => {
  const book = await PeopleBook.open(home, log);
  expect(await book.identify({ phone, userId })).toBe(phone);
  expect(await book.identify({ userId })).toBe(phone);
  const next = await PeopleBook.open(home, log);
  expect(await next.identify({ userId })).toBe(phone);
  expect(next.sameAs(phone)).toEqual([userId, `+${phone}`]);
  expect(statSync(join(home, 'whatsapp/people.json')).mode & 0o777).toBe(0o600);
});

it('keeps what somebody was first known by when their number shows up', async () => {
  const book = await PeopleBook.open(home, log);
  expect(await book.identify({ userId })).toBe(userId);
  expect(await book.identify({ userId, phone })).toBe(userId);
  expect(await book.identify({ phone })).toBe(userId);
  expect(book.sameAs(userId)).toEqual([phone, `+${phone}`]);
});

it('takes two people for two', async () => {
  const book = await PeopleBook.open(undefined, log);
  expect(await book.identify({ phone, userId })).toBe(phone);
  expect(await book.identify({ phone: '447700900123' })).toBe('447700900123');
  expect(await book.identify({ userId: 'GB.1' })).toBe('GB.1');
});

it('takes whoever has a number now for nobody who had it before', async () => {
  const next = { phone, userId: 'DE.2' };
  for (const first of [{ userId }, { phone, userId }]) {
    const book = await PeopleBook.open(undefined, log);
    await book.identify(first);
    const former = await book.identify({ phone, userId });
    expect(await book.identify(next)).toBe('DE.2');
    expect(await book.identify(next)).toBe('DE.2');
    expect(book.sameAs('DE.2')).toEqual([]);
    expect(await book.identify({ userId })).toBe(former);
  }
});

it('begins anew when its file is broken', async () => {
  const book = await PeopleBook.open(home, log);
  await book.identify({ phone, userId });
  writeFileSync(join(home, 'whatsapp/people.json'), '{"version":1,');
  const next = await PeopleBook.open(home, log);
  expect(await next.identify({ userId })).toBe(userId);
});

it('forgets whoever came first when there are too many', async () => {
  const book = await PeopleBook.open(undefined, log);
  await book.identify({ phone, userId });
  for (let at = 0; at < 10_000; at++)
    await book.identify({ userId: `US.${at}`, phone: String(20_000_000_000 + at) });
  expect(book.sameAs(phone)).toEqual([`+${phone}`]);
  expect(await book.identify({ userId: 'US.9999' })).toBe('20000009999');
});
