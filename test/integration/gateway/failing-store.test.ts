// A store that fails for a while costs time, and nothing else: nothing said is lost, refused, overtaken or done twice.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/agent/events.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Session } from '../../../src/store/sessions.ts';
import type { Store } from '../../../src/store/store.ts';
import { until } from '../../wait.ts';
import { answered, cancelled, done, type House, OWNER, USER } from './house.ts';
import { offline } from './memory-platform.ts';
import { CAN_MOUNT, type SmallDisk, smallDisk } from './small-disk.ts';
import { useHouses } from './use-houses.ts';

// Before the houses, so that they are closed while it is still there.
const disks = new Set<SmallDisk>();
afterEach(() => {
  for (const disk of disks) disk.remove();
  disks.clear();
});
const houses = useHouses();
const HOUR_MS = 3_600_000;

async function smallHome(): Promise<SmallDisk> {
  const disk = await smallDisk();
  disks.add(disk);
  return disk;
}

async function sessionOf(store: Store): Promise<string> {
  const [session] = (await store.sessions.list({ which: 'current', limit: 9 })).filter(
    each => each.chat === USER,
  );
  return session?.id ?? '';
}

/** The state as the next gateway finds it. */
function change({ home }: Pick<House, 'home'>, ...statements: readonly string[]): void {
  const database = new DatabaseSync(join(home, 'state.db'));
  for (const statement of statements) database.exec(statement);
  database.close();
}

describe.skipIf(!CAN_MOUNT)('P12: a full disk', () => {
  it('makes messages wait, and refuses none', async () => {
    const disk = await smallHome();
    const { platform } = await houses.open({ home: disk.home });
    await platform.say(USER, 'one');
    await platform.shows(USER, 'echo one');
    disk.fill();
    const [two, other] = [platform.say(USER, 'two'), platform.say(OWNER, 'hello')];
    const early = await Promise.race([two, other, fullSoon(disk)]);
    expect(early).toBe('still full');
    disk.empty();
    await Promise.all([two, other]);
    await platform.shows(USER, 'echo two');
    await platform.shows(OWNER, 'echo hello');
    expect(platform.texts(USER)).toEqual(['echo one', 'echo two']);
  });

  it('keeps the answer of a run that ends meanwhile; nothing is run again, and nothing overtakes it', async () => {
    const disk = await smallHome();
    const [began, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const runs: string[] = [];
    async function* script(turn: Turn) {
      runs.push(turn.text);
      if (turn.text === 'one') {
        began.resolve();
        await goOn.promise;
      }
      yield answered(`echo ${turn.text}`);
    }
    const { platform } = await houses.open({ home: disk.home, script });
    await platform.say(USER, 'one');
    await began.promise;
    disk.fill();
    goOn.resolve();
    const two = platform.say(USER, 'two');
    expect(await Promise.race([two, fullSoon(disk)])).toBe('still full');
    disk.empty();
    await two;
    await platform.shows(USER, 'echo two');
    expect(platform.texts(USER)).toEqual(['echo one', 'echo two']);
    expect(runs).toEqual(['one', 'two']);
  });

  it('is followed by a look for what no run and no sender knows, which is taken up in order', async () => {
    const disk = await smallHome();
    const { platform, ground } = await houses.open({ home: disk.home });
    await platform.say(USER, 'one');
    await platform.shows(USER, 'echo one');
    const { store } = ground.world;
    const sessionId = await sessionOf(store);
    // As if their run and their sender had failed before they had begun.
    const to = { platform: 'telegram', chat: USER, sessionId };
    const chat = { id: USER, kind: 'private' };
    for (const text of ['two', 'three']) {
      await store.outbox.put({ ...to, body: { kind: 'text', text: `left ${text}`, chatKind: 'private' } });
      const body = { text, files: [], name: 'n', role: 'user', chat };
      await store.inbox.put({ ...to, messageId: text, person: `telegram:${USER}`, body });
    }
    disk.fill();
    const hello = platform.say(OWNER, 'hello');
    expect(await Promise.race([hello, fullSoon(disk)])).toBe('still full');
    disk.empty();
    await hello;
    await platform.shows(USER, 'left three');
    await platform.shows(USER, 'echo three');
    expect(platform.texts(USER)).toEqual(['echo one', 'left two', 'left three', 'echo two', 'echo three']);
  });
});

/** Resolves when a store that does not wait has failed, too. */
async function fullSoon({ home }: SmallDisk): Promise<'still full'> {
  const store = await openStore(home, { examine: 'head' });
  await expect(store.installation.recordGateway(1)).rejects.toMatchObject({ code: 'UNAVAILABLE_STORE_DISK' });
  await store.close();
  return 'still full';
}

describe('P12: an answer that cannot be written', () => {
  it('is in the history with the end of its run, and is sent after the next start', async () => {
    const over = Promise.withResolvers<void>();
    async function* script({ runId, onEnd }: Turn, { id: sessionId }: Session) {
      const { runs } = house.ground.world.store;
      await runs.begin({ ...{ id: runId, sessionId, requester: USER }, holder: 'gateway-1' });
      const message = { role: 'assistant', text: 'the answer', calls: [] };
      onEnd?.(async store => {
        await store.turns.append({ sessionId, runId, message });
        await store.runs.end(runId, 'answered');
      });
      yield answered('the answer');
      over.resolve();
    }
    const house = await houses.open({ script });
    change(house, "create trigger refuse before insert on outbox begin select raise(abort, 'refused'); end");
    await house.platform.say(USER, 'one');
    await over.promise;
    await house.gateway.stop({ signal: AbortSignal.abort() });
    await house.crash();
    change(house, 'drop trigger refuse');
    const { platform } = await houses.open({ home: house.home });
    await platform.shows(USER, 'the answer');
    expect(platform.texts(USER)).toEqual(['the answer']);
  });
});

describe('P12: a damaged row', () => {
  it('costs nobody else an answer, and its chat or the owner is told', async () => {
    async function* script(turn: Turn) {
      await cancelled(turn);
      yield done('canceled');
    }
    const first = await houses.open({ script });
    await first.platform.say(USER, 'whole');
    await first.platform.say('3', 'broken');
    await first.platform.until(() => first.gateway.status().runs.active === 2);
    const { store } = first.ground.world;
    const to = { platform: 'telegram', chat: USER, sessionId: await sessionOf(store) };
    for (const text of ['broken', 'whole'])
      await store.outbox.put({ ...to, body: { kind: 'text', text: `${text} answer`, chatKind: 'private' } });
    await first.crash();
    const damage = (table: string): string =>
      `update ${table} set body = substr(body, 1, 5) where body like '%broken%'`;
    change(first, damage('inbox'), damage('outbox'));
    const { platform } = await houses.open({ home: first.home });
    await platform.shows(USER, 'whole answer');
    await platform.shows(USER, 'echo whole');
    await platform.shows('3', 'A message of yours was damaged');
    await platform.shows(OWNER, 'is damaged');
  });
});

describe('P12: an answer of more than a day ago', () => {
  it('is still sent by a gateway that was not running', async () => {
    const first = await houses.open();
    first.platform.trouble = call => {
      if (call === 'send') throw offline();
    };
    await first.platform.say(USER, 'one');
    await first.platform.until(() => first.platform.calls.includes('send'));
    await first.crash();
    change(first, `update outbox set created_at = created_at - ${25 * HOUR_MS}`);
    const second = await houses.open({ home: first.home });
    await second.platform.shows(USER, 'echo one');
  });

  it('is told in its chat when it could not be sent for a day', async () => {
    const { platform, ground } = await houses.open();
    const isDown = { value: true };
    platform.trouble = call => {
      if (call === 'send' && isDown.value) throw offline();
    };
    await platform.say(OWNER, 'one');
    await platform.until(() => platform.calls.includes('send'));
    ground.age(25 * HOUR_MS);
    platform.reconnected();
    const { outbox } = ground.world.store;
    await until(async () => (await outbox.undelivered({ since: 0 })).length > 0, 'it is given up');
    isDown.value = false;
    platform.reconnected();
    await platform.shows(OWNER, 'could not be delivered for 24 hours');
    expect(platform.texts(OWNER)).toHaveLength(1);
  });
});
