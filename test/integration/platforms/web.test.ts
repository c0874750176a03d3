// The web chat beyond what every platform does: who is let in, what is refused, and coming back.
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import type { Connection, PlatformEvent } from '../../../src/platforms/platform.ts';
import { connectWeb, type WebOptions } from '../../../src/platforms/web/connection.ts';
import { createPlatform } from '../../../src/platforms/web/index.ts';
import { MAX_FILE } from '../../../src/platforms/web/protocol.ts';
import { type WebFrame, type WebPerson, webPerson, webSocket } from '../../doubles/web-person.ts';
import { until, within } from '../../wait.ts';

let home: string;
let ahead: number;
let open: Connection[];
let events: PlatformEvent[];
let people: WebPerson[];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'web-'));
  [ahead, open, events, people] = [0, [], [], []];
});
afterEach(async () => {
  for (const person of people) person.leave();
  for (const connection of open) await connection.close();
  await rm(home, { recursive: true });
});

const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
const log = createLog({ level: 'silent', destination: { write() {} }, redact: line => line, now: () => 0 });

async function connected(options: Partial<WebOptions> = {}): Promise<Connection> {
  const connection = await connectWeb(
    { host: '127.0.0.1', port: 0, secret: undefined, origins: [], ...options },
    { clock, log, home },
    { receive: async event => void events.push(event), onState: () => undefined },
  );
  open.push(connection);
  return connection;
}

async function link(connection: Connection, person = 'ada'): Promise<string> {
  return (await connection.invite?.(person))?.link ?? '';
}

async function entered(connection: Connection, person = 'ada'): Promise<WebPerson> {
  const made = await webPerson(await link(connection, person));
  people.push(made);
  return made;
}

/** Frames as they come, and waiting for one of a type. */
function inbox() {
  const frames: WebFrame[] = [];
  let look = (): void => undefined;
  return {
    frames,
    onFrame: (frame: WebFrame): void => {
      frames.push(frame);
      look();
    },
    until: (holds: (frame: WebFrame) => boolean): Promise<WebFrame> => {
      const { promise, resolve } = Promise.withResolvers<WebFrame>();
      look = () => {
        const found = frames.find(holds);
        if (found) resolve(found);
      };
      look();
      return within(promise, () => `a frame with ${holds} among ${JSON.stringify(frames)}`);
    },
  };
}

const status = async (url: string, init?: RequestInit): Promise<number> => (await fetch(url, init)).status;
const chat = { id: 'ada/main', kind: 'private' as const };

describe('a login', () => {
  it('works once, for ten minutes, and becomes a cookie that scripts cannot read', async () => {
    const connection = await connected();
    const first = await link(connection);
    const answer = await fetch(first, { redirect: 'manual' });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^hermes_web=\S+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
    );
    expect(await status(first, { redirect: 'manual' })).toBe(403);
    const late = await link(connection);
    ahead = 10 * 60_000;
    expect(await status(late, { redirect: 'manual' })).toBe(403);
  });

  it('is for names only that cannot be taken for anything else', async () => {
    const connection = await connected();
    for (const name of ['', 'a/b', '../x', 'a:b', 'a b', 'x'.repeat(65)]) {
      await expect(connection.invite?.(name)).rejects.toMatchObject({ code: 'USAGE_BAD_ARGUMENTS' });
    }
  });

  it('outlives the gateway where there is a secret, and ends with it or with another secret', async () => {
    const secret = 's'.repeat(32);
    const first = await connected({ secret });
    const { cookie } = await entered(first);
    const can = async (options: Partial<WebOptions>): Promise<number> => {
      const { origin } = new URL(await link(await connected(options)));
      return status(`${origin}/files/none`, { headers: { cookie } });
    };
    expect(await can({ secret })).toBe(404);
    expect(await can({ secret: 't'.repeat(32) })).toBe(401);
    expect(await can({})).toBe(401);
    ahead = 31 * 86_400_000;
    expect(await can({ secret })).toBe(401);
  });
});

it('gives a cookie that goes nowhere without TLS to whoever came by a name with TLS', async () => {
  const connection = await connected({ origins: ['https://chat.example.org', 'http://chat.example.net'] });
  const cookieFor = async (host: string): Promise<string> => {
    const { hostname, port, pathname, search } = new URL(await link(connection));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const path = pathname + search;
    get({ hostname, port, path, headers: { host } }, answer => {
      answer.resume();
      resolve(String(answer.headers['set-cookie']));
    }).on('error', reject);
    return promise;
  };
  expect(await cookieFor('chat.example.org')).toMatch(/; Secure$/);
  expect(await cookieFor('chat.example.net')).not.toContain('Secure');
});

describe('a password', () => {
  it('is asked for besides the link, and five wrong ones end the link', async () => {
    const connection = await connected({ password: 'correct horse battery' });
    const first = new URL(await link(connection));
    const asked = await fetch(first, { redirect: 'manual' });
    expect([asked.status, asked.headers.get('set-cookie')]).toEqual([200, null]);
    expect(await asked.text()).toContain('type="password"');
    const enter = (url: URL, password: string): Promise<Response> =>
      fetch(new URL('/login', url), {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: url.origin },
        body: new URLSearchParams({ token: url.searchParams.get('token') ?? '', password }),
      });
    expect((await enter(first, 'wrong')).status).toBe(403);
    const entered = await enter(first, 'correct horse battery');
    expect([entered.status, entered.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringContaining('HttpOnly'),
    ]);
    const second = new URL(await link(connection));
    for (let at = 0; at < 5; at++) await enter(second, `wrong ${at}`);
    expect((await enter(second, 'correct horse battery')).status).toBe(403);
  });

  it('is needed where others can reach the address, and it is said at every start', () => {
    const settings = (password?: string) => ({
      get: (key: string) =>
        ({
          'web.enabled': true,
          'web.host': '192.0.2.1',
          'web.port': 0,
          'web.origins': [],
          'web.password': password,
        })[key],
    });
    type Given = Parameters<typeof createPlatform>[0];
    const create = (password?: string) => createPlatform(settings(password) as Given, { clock, log }); // the keys that it reads
    expect(() => create()).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(create('correct horse battery')?.warnings).toEqual([expect.stringContaining('192.0.2.1')]);
  });
});

describe('strangers and foreign pages', () => {
  it.each<[string, Record<string, string>, number]>([
    ['without a cookie', { cookie: '' }, 401],
    [
      'with a forged one',
      { cookie: `hermes_web=${Buffer.from('ada:9999999999999').toString('base64url')}.x` },
      401,
    ],
    ['from another page', { origin: 'http://evil.example' }, 403],
    ['under another name', { host: 'evil.example' }, 403],
  ])('get no socket %s', async (_how, headers, code) => {
    const { cookie, origin } = await entered(await connected());
    await expect(webSocket(origin, { headers: { cookie, origin, ...headers } })).rejects.toThrow(
      `refused: ${code}`,
    );
  });

  it('read nothing under a name of their own that leads here', async () => {
    const { cookie, origin } = await entered(await connected());
    const { hostname, port } = new URL(origin);
    const statusUnder = async (host: string): Promise<number | undefined> => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      get({ hostname, port, path: '/files/none', headers: { cookie, host } }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
      return promise;
    };
    expect(await statusUnder(`evil.example:${port}`)).toBe(403);
    expect(await statusUnder(`localhost:${port}`)).toBe(404);
  });

  it('are let in under an address that the operator has added', async () => {
    const { cookie, origin } = await entered(await connected({ origins: ['https://chat.example'] }));
    const headers = { cookie, origin: 'https://chat.example', host: 'chat.example' };
    (await webSocket(origin, { headers })).terminate();
  });

  it('reach no file: neither without a cookie, nor somebody else’s, nor by a path', async () => {
    const connection = await connected();
    const [ada, bob] = [await entered(connection), await entered(connection, 'bob')];
    const { frames, onFrame, until } = inbox();
    await ada.open({ onFrame });
    await connection.sendFile(chat, { name: 'x', bytes: Buffer.from('secret') });
    await until(({ files }) => files !== undefined);
    const id = frames.at(-1)?.files?.[0]?.id ?? '';
    const url = `${ada.origin}/files/${id}`;
    const codes: unknown[] = [await status(url), await status(url, { headers: { cookie: bob.cookie } })];
    codes.push(
      await pathStatus(ada, '/files/..%2f..%2fstate.db'),
      await pathStatus(ada, '/files/../state.db'),
    );
    expect(codes).toEqual([401, 404, 404, 404]);
    const answer = await fetch(url, { headers: { cookie: ada.cookie } });
    expect(await answer.text()).toBe('secret');
    expect(answer.headers.get('content-disposition')).toBe('attachment');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('cannot upload from another page, too much, or what belongs to somebody else', async () => {
    const connection = await connected();
    const [ada, bob] = [await entered(connection), await entered(connection, 'bob')];
    const post = (headers: Record<string, string>, body: string | Buffer<ArrayBuffer>): Promise<number> =>
      status(`${ada.origin}/files?name=a`, {
        method: 'POST',
        headers: { cookie: ada.cookie, ...headers },
        body,
      });
    expect(await post({ origin: 'http://evil.example' }, 'x')).toBe(403);
    expect(await post({ origin: ada.origin }, Buffer.alloc(MAX_FILE + 1))).toBe(413);
    const { id } = await ada.upload('mine.txt', Buffer.from('mine'));
    const { onFrame, until } = inbox();
    await bob.open({ onFrame });
    bob.send({ type: 'message', id: 'm1', text: 'look', files: [id] });
    expect(await until(({ type }) => type === 'error')).toMatchObject({ id: 'm1' });
    expect(events).toEqual([]);
  });
});

describe('uploads that only begin', () => {
  /** As much as is said, and no end. */
  async function begin({ origin, cookie }: WebPerson): Promise<{ status: Promise<number>; end: () => void }> {
    const sent = request(`${origin}/files?name=a`, {
      ...{ method: 'POST', headers: { cookie, origin, 'transfer-encoding': 'chunked' } },
    });
    const answered = Promise.withResolvers<number>();
    sent.on('response', ({ statusCode = 0 }) => answered.resolve(statusCode)).on('error', answered.reject);
    sent.write(Buffer.alloc(100_000));
    await once(sent, 'socket');
    return { status: answered.promise, end: () => void sent.destroy() };
  }

  it('are few of one person, refused before they are read, and take nobody else’s place', async () => {
    const connection = await connected();
    const [ada, bob] = [await entered(connection), await entered(connection, 'bob')];
    const begun = await Promise.all(Array.from({ length: 12 }, () => begin(ada)));
    const refused: number[] = [];
    for (const { status: answer } of begun) answer.then(code => refused.push(code)).catch(error => error);
    await until(() => refused.length >= 4, 'four too many are refused');
    expect(refused).toEqual([429, 429, 429, 429]);
    expect((await bob.upload('b.txt', Buffer.from('b'))).id).not.toBe('');
    for (const { end } of begun) end();
    await until(
      () =>
        ada.upload('a.txt', Buffer.from('a')).then(
          ({ id }) => id !== '',
          () => false,
        ),
      'those that were left make room again',
    );
  });
});

describe('a socket', () => {
  it('has to say hello first, and is closed for binary and for too long frames', async () => {
    const { cookie, origin } = await entered(await connected());
    const closed = async (frame: string | Buffer): Promise<number> => {
      const socket = await webSocket(origin, { headers: { cookie, origin } });
      socket.send(frame);
      return new Promise(resolve => socket.once('close', resolve));
    };
    const message = { type: 'message', id: 'm', text: 'x' };
    expect(await closed(JSON.stringify(message))).toBe(1008);
    expect(await closed(Buffer.from('x'))).toBe(1003);
    expect(await closed(JSON.stringify({ ...message, text: 'x'.repeat(300_000) }))).toBe(1009);
    expect(events).toEqual([]);
  });

  it('gets growing answers as what was added, and others whole', async () => {
    const connection = await connected();
    const ada = await entered(connection);
    const { frames, onFrame, until } = inbox();
    await ada.open({ onFrame });
    const { ids } = await connection.send(chat, { text: 'one' });
    await connection.edit?.(chat, ids[0] ?? '', { text: 'one two' });
    await connection.edit?.(chat, ids[0] ?? '', { text: 'three' });
    await until(({ text }) => text === 'three');
    expect(frames.slice(1).map(({ type, seq, text, append }) => [type, seq, text ?? append])).toEqual([
      ['message', 1, 'one'],
      ['delta', 2, ' two'],
      ['edit', 3, 'three'],
    ]);
  });

  it('shows a person’s own words on every screen, and to nobody else', async () => {
    const connection = await connected();
    const [desk, phone, bob] = [
      await entered(connection),
      await entered(connection),
      await entered(connection, 'bob'),
    ];
    const [onDesk, onPhone, atBob] = [inbox(), inbox(), inbox()];
    await desk.open(onDesk);
    await phone.open(onPhone);
    await bob.open(atBob);
    desk.send({ type: 'message', id: 'm1', text: 'hello' });
    expect(await onPhone.until(({ type }) => type === 'message')).toMatchObject({
      from: 'you',
      text: 'hello',
    });
    await onDesk.until(({ type }) => type === 'ack');
    await connection.send({ ...chat, id: 'bob/main' }, { text: 'for bob' });
    await atBob.until(({ text }) => text === 'for bob');
    expect(atBob.frames.map(({ type }) => type)).toEqual(['welcome', 'message']);
  });
});

describe('coming back', () => {
  it('gives what was missed, as it is now, also after a restart of the gateway', async () => {
    const secret = 's'.repeat(32);
    const first = await connected({ secret });
    const ada = await entered(first);
    await ada.open();
    const { ids } = await first.send(chat, { text: 'seen' });
    await first.send(chat, { text: 'missed' });
    await first.edit?.(chat, ids[0] ?? '', { text: 'seen and changed' });
    await first.close();
    const again = await connected({ secret });
    const back = await entered(again);
    const { frames, onFrame, until } = inbox();
    expect(await back.open({ after: 1, onFrame })).toMatchObject({ last: 3, complete: true });
    await until(({ seq }) => seq === 3);
    expect(frames.slice(1).map(({ seq, text }) => [seq, text])).toEqual([
      [2, 'missed'],
      [3, 'seen and changed'],
    ]);
  });

  it('says so when not all of it is kept any more', async () => {
    const connection = await connected();
    const ada = await entered(connection);
    for (let at = 1; at <= 205; at++) await connection.send(chat, { text: `message ${at}` });
    expect(await ada.open({ after: 2 })).toMatchObject({ last: 205, complete: false });
    expect(await ada.open({ after: 5 })).toMatchObject({ complete: true });
    expect(await ada.open({ after: 1000 })).toMatchObject({ complete: false });
  });

  it('P11: keeps what was said to itself', async () => {
    const connection = await connected();
    await connection.send(chat, { text: 'private' });
    await connection.sendFile(chat, { name: 'x', bytes: Buffer.from('x') });
    const paths = await readdir(join(home, 'web'), { recursive: true, withFileTypes: true });
    for (const entry of paths) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      expect(mode & 0o777).toBe(entry.isDirectory() ? 0o700 : 0o600);
    }
    expect(paths.length).toBeGreaterThan(4);
  });
});

/** `fetch` would tidy up the path. */
function pathStatus({ origin, cookie }: WebPerson, path: string): Promise<number | undefined> {
  const { hostname: host, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    get({ host, port, path, headers: { cookie } }, response => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

describe('somebody who may not be there any more', () => {
  it('is logged out: of files, pages, the socket and what it shows', async () => {
    let isIn = true;
    const connection = await connectWeb(
      { host: '127.0.0.1', port: 0, secret: undefined, origins: [] },
      {
        ...{ clock, log, home },
        pages: async () => ({
          async answer(_request, response, visitor) {
            response.writeHead(visitor ? 200 : 401).end();
            return true;
          },
          upgrade: () => false,
          close: () => {},
        }),
      },
      {
        receive: async event => void events.push(event),
        onState: () => undefined,
        isWelcome: async person => isIn || person !== 'ada',
      },
    );
    open.push(connection);
    const ada = await entered(connection);
    const { cookie, origin } = ada;
    await ada.open();
    await ada.upload('a.txt', Buffer.from('a'));
    isIn = false;
    await expect(ada.upload('b.txt', Buffer.from('b'))).rejects.toThrow();
    expect((await fetch(origin, { headers: { cookie } })).status).toBe(401);
    await expect(webSocket(origin, { headers: { cookie, origin } })).rejects.toThrow('401');
    const socket = ada.closed();
    ada.send({ type: 'message', id: 'm1', text: 'still here' });
    expect(await socket).toBe(1008);
    expect(events).toEqual([]);
    await (await entered(connection, 'bob')).open();
  });
});

it('shows a question before its answer, however quick that is', async () => {
  let connection: Connection | undefined;
  connection = await connectWeb(
    { host: '127.0.0.1', port: 0, secret: undefined, origins: [] },
    { clock, log, home },
    {
      async receive({ chat }) {
        await connection?.send(chat, { text: 'answer' });
      },
      onState: () => undefined,
    },
  );
  open.push(connection);
  const ada = await entered(connection);
  const { onFrame, until, frames } = inbox();
  await ada.open({ onFrame });
  ada.send({ type: 'message', id: 'm1', text: 'question' });
  await until(({ type }) => type === 'ack');
  const said = frames.filter(({ type }) => type === 'message').map(({ text }) => text);
  expect(said).toEqual(['question', 'answer']);
});
