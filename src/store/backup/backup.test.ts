// Backups of real files: made, damaged in every way, and put back.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock as clock } from '../../base/clock.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { openStore } from '../open.ts';
import { sqliteDialect } from '../sqlite-dialect.ts';
import { sqliteFlavour } from '../sqlite-flavour.ts';
import { databaseOf } from '../store.ts';
import { backUpBeforeMigration } from './before-migration.ts';
import { closePast } from './close-past.ts';
import { createBackup, keepNewest } from './create.ts';
import { listBackups } from './list.ts';
import { restoreBackup } from './restore.ts';
import { BLOCK, headerBlock, paddingOf, parseHeader } from './tar.ts';
import { verifyBackup } from './verify.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-backup-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const path = (...names: string[]): string => join(home, ...names);
const mode = (file: string): number => statSync(file).mode & 0o777;
const text = (...names: string[]): string => readFileSync(path(...names), 'utf8');

async function write(subject: string): Promise<void> {
  const store = await openStore(home);
  await store.audit.append({ actor: 'test', action: 'command', subject, outcome: 'done' });
  await store.close();
}

async function subjects(): Promise<string[]> {
  const store = await openStore(home);
  const rows = await store.audit.list({ limit: 100 });
  await store.close();
  return rows.map(({ subject }) => subject);
}

async function make(secrets: 'included' | 'left out' = 'left out'): Promise<string> {
  const made = await createBackup({ home, clock, reason: 'asked', secrets });
  return made?.file ?? '';
}

const restore = (file: string) => restoreBackup({ home, file, clock, gatewayLock: path('gateway.lock') });

/** An installation with something in every part. */
async function furnish(): Promise<void> {
  await write('old');
  writeFileSync(path('config.yaml'), 'terminal:\n  timeout: 5\n');
  writeFileSync(path('.env'), 'TELEGRAM_BOT_TOKEN=old\n');
  mkdirSync(path('web/chats'), { recursive: true });
  writeFileSync(path('web/chats/a.json'), 'old');
}

async function change(): Promise<void> {
  await write('new');
  writeFileSync(path('config.yaml'), 'terminal:\n  timeout: 9\n');
  writeFileSync(path('.env'), 'TELEGRAM_BOT_TOKEN=new\n');
  writeFileSync(path('web/chats/a.json'), 'new');
  writeFileSync(path('web/chats/b.json'), 'new');
}

describe('a backup', () => {
  it('brings back what was there, and keeps what was there since', async () => {
    await furnish();
    const file = await make();
    await change();
    const { aside, restored } = await restore(file);
    expect(await subjects()).toEqual(['old']);
    expect([text('config.yaml'), text('web/chats/a.json')]).toEqual(['terminal:\n  timeout: 5\n', 'old']);
    expect(existsSync(path('web/chats/b.json'))).toBe(false);
    expect(restored).toEqual(['config.yaml', 'web', 'state.db']);
    const kept = new DatabaseSync(join(aside ?? '', 'state.db'), { readOnly: true });
    expect(kept.prepare('select subject from audit order by seq').all()).toEqual([
      { subject: 'old' },
      { subject: 'new' },
    ]);
    kept.close();
    expect(readFileSync(join(aside ?? '', 'config.yaml'), 'utf8')).toContain('9');
    expect(readdirSync(path('backups')).filter(name => name.startsWith('.'))).toEqual([]);
  });

  it('holds secrets only when that was asked for, and leaves .env alone without them', async () => {
    await furnish();
    const [without, withThem] = [await make(), await make('included')];
    expect(gunzipSync(readFileSync(without)).includes('TELEGRAM_BOT_TOKEN')).toBe(false);
    expect(gunzipSync(readFileSync(withThem)).includes('TELEGRAM_BOT_TOKEN=old')).toBe(true);
    await change();
    await restore(without);
    expect(text('.env')).toBe('TELEGRAM_BOT_TOKEN=new\n');
    await restore(withThem);
    expect([text('.env'), mode(path('.env'))]).toEqual(['TELEGRAM_BOT_TOKEN=old\n', 0o600]);
  });

  it('P11: is readable for its owner alone, and so is what comes out of it', async () => {
    await furnish();
    const file = await make();
    const { aside } = await restore(file);
    expect([mode(file), mode(path('backups')), mode(path('state.db'))]).toEqual([0o600, 0o700, 0o600]);
    expect([mode(path('config.yaml')), mode(aside ?? ''), mode(path('web'))]).toEqual([0o600, 0o700, 0o700]);
  });

  it('is read by plain tar', async () => {
    await furnish();
    const listed = execFileSync('tar', ['-tzf', await make()], { encoding: 'utf8' });
    expect(listed.trim().split('\n')).toEqual([
      'manifest.json',
      'state.db',
      'config.yaml',
      'web/chats/a.json',
    ]);
  });

  it('is listed newest first, also one that cannot be read', async () => {
    await furnish();
    const [first, second] = [await make(), await make('included')];
    writeFileSync(first, 'nothing');
    const listed = await listBackups(home);
    expect(listed.map(({ file, contents }) => [file, contents?.secrets])).toEqual(
      expect.arrayContaining([
        [second, true],
        [first, undefined],
      ]),
    );
    expect(await listBackups(path('elsewhere'))).toEqual([]);
  });

  it('gives way to newer ones of its kind alone', async () => {
    await furnish();
    const asked = [await make(), await make(), await make()];
    await createBackup({ home, clock, reason: 'before-migration', secrets: 'left out' });
    expect(await keepNewest(home, 'asked', 1)).toHaveLength(2);
    expect(asked.filter(existsSync)).toHaveLength(1);
    expect(await listBackups(home)).toHaveLength(2);
  });

  it('says that there is nothing to back up', async () => {
    await expect(make()).rejects.toMatchObject({ code: 'USAGE_NO_STATE' });
  });

  it('leaves nothing behind when it cannot be written', async () => {
    await furnish();
    writeFileSync(path('backups'), '');
    await expect(make()).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKUP' });
    rmSync(path('backups'));
    rmSync(path('config.yaml'));
    mkdirSync(path('config.yaml'));
    await expect(make()).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKUP' });
    expect(readdirSync(path('backups'))).toEqual([]);
  });
});

/** A few bits of a compressed stream mean nothing. */
function saysTheSame(changed: Buffer, whole: Buffer): boolean {
  try {
    return gunzipSync(changed).equals(gunzipSync(whole));
  } catch {
    return false; // it cannot be unpacked, so it is damaged
  }
}

describe('damage', () => {
  const problemOf = async (file: string) => (await verifyBackup(home, clock, file)).problem;

  async function refused(bytes: Buffer): Promise<void> {
    const file = path('damaged.tar.gz');
    writeFileSync(file, bytes);
    expect(await problemOf(file)).not.toBeNull();
    await expect(restore(file)).rejects.toMatchObject({ code: 'USAGE_BACKUP_UNUSABLE' });
    expect(await subjects()).toEqual(['old']);
    expect(text('config.yaml')).toBe('terminal:\n  timeout: 5\n');
  }

  it('is found wherever a byte is changed', async () => {
    await furnish();
    const whole = readFileSync(await make());
    expect(await problemOf((await listBackups(home))[0]?.file ?? '')).toBeNull();
    // Before that stand the time and the system of the compression, which say nothing of the content.
    for (let at = 10; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      if (!saysTheSame(changed, whole)) await refused(changed);
    }
  });

  it('is found wherever the end is missing', async () => {
    await furnish();
    const whole = readFileSync(await make());
    for (const length of [0, 1, 9, 100, Math.floor(whole.length / 2), whole.length - 9, whole.length - 1])
      await refused(whole.subarray(0, length));
  });

  it('is found in an archive that was packed anew', async () => {
    await furnish();
    const tar = gunzipSync(readFileSync(await make()));
    const at = tar.indexOf('timeout: 5');
    tar.write('timeout: 6', at);
    await refused(gzipSync(tar));
    const file = path('damaged.tar.gz');
    expect(await problemOf(file)).toBe('the content of config.yaml has changed');
  });

  it('is found in an archive with a file that its manifest does not have', async () => {
    await furnish();
    const tar = gunzipSync(readFileSync(await make()));
    const end = tar.subarray(-2 * BLOCK);
    const more = headerBlock({ name: 'state.db', size: 0 }, 0);
    await refused(gzipSync(Buffer.concat([tar.subarray(0, -end.length), more, end])));
    expect(await problemOf(path('damaged.tar.gz'))).toBe('it holds more than its manifest says');
  });

  it.each(['../evil', '/tmp/evil', 'web/../../evil', 'web/..', 'bin/hermes', 'web/'])(
    'is a name that leads elsewhere: %s',
    async name => {
      await furnish();
      const files = [{ name, size: 1, sha256: '0'.repeat(64) }];
      const manifest = { format: 1, madeAt: 1, reason: 'asked', stateVersion: 1, files, left: [] };
      const body = Buffer.from(JSON.stringify(manifest));
      const archive = [
        headerBlock({ name: 'manifest.json', size: body.length }, 0),
        body,
        Buffer.alloc(paddingOf(body.length)),
        headerBlock({ name, size: 1 }, 0),
        Buffer.alloc(BLOCK * 3, 'x', 'latin1'),
      ];
      await refused(gzipSync(Buffer.concat(archive)));
      expect(await problemOf(path('damaged.tar.gz'))).toBe('its manifest is broken');
    },
  );

  it('is any other archive, and what is none', async () => {
    await furnish();
    mkdirSync(path('other'));
    writeFileSync(path('other/manifest.json'), '{}');
    execFileSync('tar', ['-czf', path('other.tar.gz'), '-C', path('other'), 'manifest.json']);
    await refused(readFileSync(path('other.tar.gz')));
    await refused(Buffer.from('not an archive'));
    await refused(gzipSync(Buffer.alloc(10 * BLOCK)));
  });

  it('is a database that SQLite cannot read, whatever the checksums say', async () => {
    await furnish();
    const made = await createBackup({
      ...{ home, clock, reason: 'asked', secrets: 'left out' },
      stageMore: async staging => {
        const bytes = readFileSync(join(staging, 'state.db'));
        bytes.fill(0xff, 4096, 12_288);
        writeFileSync(join(staging, 'state.db'), bytes);
        return { names: [], left: [] };
      },
    });
    expect(await problemOf(made?.file ?? '')).toContain('its content is broken');
    await expect(restore(made?.file ?? '')).rejects.toMatchObject({ code: 'UNAVAILABLE_STORE' });
  });

  it('is not a file that does not exist', async () => {
    await expect(verifyBackup(home, clock, path('none'))).rejects.toMatchObject({ code: 'USAGE_HOST_FILE' });
  });
});

describe('restoring', () => {
  it('is refused while a gateway has its lock, and changes nothing', async () => {
    await furnish();
    const file = await make();
    await change();
    const lock = new DatabaseSync(path('gateway.lock'));
    lock.exec('begin exclusive');
    await expect(restore(file)).rejects.toMatchObject({ code: 'UNAVAILABLE_GATEWAY' });
    lock.close();
    expect(await subjects()).toEqual(['old', 'new']);
    expect(readdirSync(home).filter(name => name.startsWith('before'))).toEqual([]);
  });

  it('is refused for a state of a newer program', async () => {
    await furnish();
    const database = new DatabaseSync(path('state.db'));
    database.exec(`pragma user_version = ${migrations.length + 1}`);
    const file = await make();
    database.exec(`pragma user_version = ${migrations.length}`);
    database.close();
    await expect(restore(file)).rejects.toThrow('a newer Hermes made it');
    expect(await subjects()).toEqual(['old']);
  });

  it('takes everything back when a step fails', async () => {
    await furnish();
    const file = await make();
    await change();
    rmSync(path('state.db'));
    mkdirSync(path('state.db'));
    await expect(restore(file)).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKUP' });
    expect([text('config.yaml'), text('web/chats/b.json')]).toEqual(['terminal:\n  timeout: 9\n', 'new']);
    expect(readdirSync(home).filter(name => name.startsWith('before'))).toEqual([]);
  });

  it('works where there is nothing yet, and where the old state is damaged', async () => {
    await furnish();
    const file = path('copy.tar.gz');
    writeFileSync(file, readFileSync(await make()));
    writeFileSync(path('state.db'), 'broken');
    expect(await restore(file)).toMatchObject({ contents: { config: true } });
    expect(await subjects()).toEqual(['old']);
    const fresh = path('new');
    const lock = join(fresh, 'gateway.lock');
    expect(await restoreBackup({ home: fresh, file, clock, gatewayLock: lock })).toMatchObject({
      aside: null,
    });
    expect(readdirSync(fresh).sort()).toEqual(['backups', 'config.yaml', 'gateway.lock', 'state.db', 'web']);
  });
});

describe('a restore', () => {
  const notice = (madeAt: number) => (session: { readonly id: string }) => ({ madeAt, session: session.id });

  /** Two conversations, of which one has something of every kind in flight. */
  async function inFlight(): Promise<string> {
    const store = await openStore(home, { clock });
    const enter = (key: string) =>
      store.sessions.enter({ key, kind: 'messaging', platform: 'web', chat: key });
    const [busy] = [await enter('busy'), await enter('idle')];
    const sessionId = busy.id;
    const { id: installation } = await store.installation.read();
    await store.runs.begin({ id: 'r', sessionId, holder: 'gateway-1', requester: 'p' });
    const message = { platform: 'web', chat: 'busy', sessionId, person: 'p', body: {} };
    await store.inbox.put({ ...message, messageId: 'taken', runId: 'r' });
    await store.inbox.put({ ...message, messageId: 'waiting' });
    const row = { sessionId, platform: 'web', chat: 'busy', body: {} };
    const { seq } = await store.outbox.put(row);
    await store.outbox.startSending(seq);
    await store.outbox.put(row);
    const question = { sessionId, runId: 'r', requester: 'p', command: 'ls', findings: [] };
    await store.approvals.ask({ ...question, expiresAt: clock.now() + 60_000 });
    const sandbox = {
      policyHash: 'h',
      policy: {},
      whenIdle: 'destroy',
      deadline: 0,
      backend: 'local',
    } as const;
    await store.ledger.enter({ id: 'box', sessionId, installation, ...sandbox });
    await store.ledger.move('box', 'ready');
    const lease = { sandboxId: 'box', sessionId, holder: 'gateway-1', purpose: 'r' };
    await store.leases.take({ ...lease, expiresAt: clock.now() + 60_000 });
    await store.close();
    return sessionId;
  }

  it('P10: closes what was in flight, and tells the chats concerned, each once', async () => {
    const sessionId = await inFlight();
    const file = await make();
    await write('later');
    for (const told of [1, 0]) {
      const options = { home, file, clock, gatewayLock: path('gateway.lock'), notice };
      expect(await restoreBackup(options)).toMatchObject({ interruptedChats: 1 });
      // A second closing, as of an older version, finds nothing.
      if (told === 0)
        expect(closePast({ path: path('state.db'), now: 1, generation: 1, notice: notice(1) })).toBe(0);
    }
    const store = await openStore(home, { clock });
    expect(await store.runs.find('r')).toMatchObject({ state: 'cut-off' });
    expect([await store.inbox.unfinished(), await store.inbox.waiting()]).toEqual([[], []]);
    expect(await store.outbox.recoverInterrupted()).toEqual([]);
    expect(await store.outbox.waiting()).toMatchObject([{ chat: 'busy', body: { session: sessionId } }]);
    expect(await store.approvals.pending()).toEqual([]);
    expect(await store.leases.list()).toEqual([]);
    expect(await store.ledger.find('box')).toMatchObject({ state: 'ready' });
    await store.close();
  });

  it('P10: changes nothing when the past cannot be closed', async () => {
    await inFlight();
    const file = await make();
    const fails = () => () => {
      throw new Error('no notice');
    };
    const options = { home, file, clock, gatewayLock: path('gateway.lock'), notice: fails };
    await expect(restoreBackup(options)).rejects.toThrow();
    const store = await openStore(home, { clock });
    expect(await store.runs.find('r')).toMatchObject({ state: 'running' });
    await store.close();
  });
});

describe('before a migration', () => {
  async function makeOld(version: number): Promise<void> {
    writeFileSync(path('state.db'), '');
    const db = databaseOf(sqliteDialect({ path: path('state.db'), clock }));
    await migrate(db, sqliteFlavour, migrations.slice(0, version));
    await db.destroy();
  }
  const version = (): unknown => {
    const database = new DatabaseSync(path('state.db'), { readOnly: true });
    const found = database.prepare('pragma user_version').get();
    database.close();
    return found?.['user_version'];
  };

  it('the old state is backed up, and can be put back', async () => {
    await makeOld(2);
    await (await openStore(home)).close();
    expect(version()).toBe(migrations.length);
    const [backup, ...more] = await listBackups(home);
    expect([backup?.reason, backup?.contents?.state, more]).toEqual(['before-migration', 2, []]);
    await restore(backup?.file ?? '');
    expect(version()).toBe(2);
  });

  it('nothing is made where nothing changes', async () => {
    await write('x');
    await write('y');
    expect(existsSync(path('backups'))).toBe(false);
  });

  it('the newest five are kept', async () => {
    for (let round = 0; round < 7; round++) {
      rmSync(path('state.db'), { force: true });
      await makeOld(1);
      await (await openStore(home)).close();
    }
    expect(await listBackups(home)).toHaveLength(5);
  });

  it('what cannot be backed up is not changed', async () => {
    await makeOld(2);
    writeFileSync(path('backups'), '');
    await expect(openStore(home)).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKUP' });
    expect(version()).toBe(2);
  });

  it('nothing is kept when another process has changed the state meanwhile', async () => {
    await write('x');
    await backUpBeforeMigration(home, clock, migrations.length);
    expect(await listBackups(home)).toEqual([]);
    await backUpBeforeMigration(home, clock, migrations.length + 1);
    expect(await listBackups(home)).toHaveLength(1);
  });
});

describe('the header of an archive', () => {
  it.each([0, 1, 8 ** 11 - 1, 8 ** 11, 2 ** 40])('keeps a size of %d', size => {
    expect(parseHeader(headerBlock({ name: 'state.db', size }, 1))).toEqual({ name: 'state.db', size });
  });
});
