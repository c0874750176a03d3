import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ManualClock, manualClock } from '../../test/fixtures/manual-clock.ts';
import { until } from '../../test/wait.ts';
import { openStore } from './open.ts';
import type { Store } from './store.ts';

/** As long as a writer waits for another process by itself. */
const LOCK_MS = 10_000;

let home: string;
let clock: ManualClock;
let heard: string[];
let other: DatabaseSync;
let store: Store;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'hermes-patient-'));
  clock = manualClock();
  heard = [];
  store = await openStore(home, {
    clock,
    patience: {
      onFailing: ({ code }) => heard.push(code),
      onWorking: afterMs => heard.push(`works after ${afterMs} ms`),
    },
  });
  other = new DatabaseSync(join(home, 'state.db'));
});
afterEach(async () => {
  other.close();
  await store.close();
  rmSync(home, { recursive: true });
});

const write = () => store.installation.recordGateway(7);
const waits = (what: string) => until(() => clock.pending().length > 0, what);

/** The lock is held for longer than a writer waits by itself. */
async function failOnce(): Promise<void> {
  await waits('it waits for the other');
  clock.advance(LOCK_MS);
  await until(() => heard.length > 0, 'it has failed');
  await waits('it waits to try again');
}

it('P12: writes what a lock has kept from being written as soon as it is gone, and says both', async () => {
  other.exec('begin exclusive');
  let isRecovered = false;
  store.onRecovered(() => {
    isRecovered = true;
  });
  const writing = write();
  await failOnce();
  other.exec('commit');
  clock.advance(LOCK_MS);
  await writing;
  expect((await store.installation.read()).gateway?.pid).toBe(7);
  expect(heard).toEqual(['UNAVAILABLE_LOCK', expect.stringContaining('works after')]);
  expect(isRecovered).toBe(true);
});

it('P12: tries a whole transaction again', async () => {
  other.exec('begin exclusive');
  let tries = 0;
  const writing = store.transaction(async inside => {
    tries++;
    await inside.installation.recordGateway(8);
    return (await inside.installation.read()).gateway?.pid;
  });
  await failOnce();
  other.exec('commit');
  clock.advance(LOCK_MS);
  expect(await writing).toBe(8);
  expect(tries).toBe(1);
});

it('waits no longer than the stop', async () => {
  other.exec('begin exclusive');
  const writing = write();
  await failOnce();
  store.failFast();
  await waits('it tries once more');
  clock.advance(LOCK_MS);
  await expect(writing).rejects.toMatchObject({ code: 'UNAVAILABLE_LOCK' });
  other.exec('rollback');
  await write();
});

it('does not try again what no waiting can help', async () => {
  const message = { sessionId: 'none', platform: 'x', chat: '1', body: {} };
  await expect(store.outbox.put(message)).rejects.toThrow('FOREIGN KEY');
  expect(heard).toEqual([]);
});
