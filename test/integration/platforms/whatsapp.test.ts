// What is WhatsApp's own: its webhook, its window of 24 hours, its limits, its files. What all platforms do alike is proved by
// test/conformance-platforms.
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { HermesError } from '../../../src/base/errors.ts';
import type { Chat } from '../../../src/platforms/platform.ts';
import { startWhatsApp, type WhatsAppDouble } from '../../doubles/whatsapp-server.ts';
import { changeOf, signatureOf } from '../../doubles/whatsapp-webhooks.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { connectWhatsApp, type LineOptions, type WhatsAppLine } from './whatsapp-line.ts';

const ADA = { phone: '491701234567', userId: 'DE.1349', name: 'Ada' };
const chat: Chat = { id: ADA.phone, kind: 'private' };
const MIB = 1024 * 1024;

let whatsapp: WhatsAppDouble;
let line: WhatsAppLine;

const failure = (work: Promise<unknown>): Promise<HermesError> =>
  work.then(
    value => Promise.reject(new Error(`gave ${JSON.stringify(value)}`)),
    (error: HermesError) => error,
  );

async function reconnect(options: LineOptions): Promise<void> {
  await line.connection.close();
  line = await connectWhatsApp(whatsapp, options);
}

function payload(text: string, from = ADA.phone): string {
  const metadata = { display_phone_number: whatsapp.number, phone_number_id: whatsapp.phoneNumberId };
  const message = { from, id: `wamid.${text}`, timestamp: '1', type: 'text', text: { body: text } };
  return JSON.stringify(
    changeOf('messages', { messaging_product: 'whatsapp', metadata, messages: [message] }),
  );
}

function post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(line.url, {
    method: 'POST',
    body,
    headers: { 'x-hub-signature-256': signatureOf(body, whatsapp.appSecret), ...headers },
  });
}

interface Stranger {
  breakOff(): Promise<void>;
  isOver(): boolean;
  /** What was answered until the connection ended. */
  readonly answer: Promise<string>;
}

/** Of something that nobody has signed: so many bytes, and one is missing. */
async function beginning(size: number): Promise<Stranger> {
  const { port, pathname } = new URL(line.url);
  const socket = connect(Number(port), '127.0.0.1');
  let heard = '';
  const answer = new Promise<string>(resolve => socket.once('close', () => resolve(heard)));
  socket.on('error', () => undefined);
  socket.on('data', data => {
    heard += String(data);
  });
  onTestFinished(() => void socket.destroy());
  const head = [`POST ${pathname} HTTP/1.1`, 'host: x', `x-hub-signature-256: sha256=${'0'.repeat(64)}`];
  const text = `${[...head, `content-length: ${size + 1}`].join('\r\n')}\r\n\r\n${'x'.repeat(size)}`;
  await new Promise<void>(resolve => socket.write(text, () => resolve()));
  return {
    isOver: () => socket.closed,
    answer,
    async breakOff() {
      socket.destroy();
      await answer;
    },
  };
}

beforeEach(async () => {
  whatsapp = await startWhatsApp();
  // Nothing reaches people who have not written for 24 hours.
  whatsapp.business.people.heard(ADA.phone);
  line = await connectWhatsApp(whatsapp);
});
afterEach(async () => {
  await line.connection.close();
  await whatsapp.close();
});

describe('the webhook', () => {
  const challenge = (token: string, mode = 'subscribe', word = '1158201444'): Promise<Response> =>
    fetch(
      `${line.url}?${new URLSearchParams({ 'hub.mode': mode, 'hub.challenge': word, 'hub.verify_token': token })}`,
    );

  it('is set up by whoever knows the word, and by nobody else', async () => {
    const right = await challenge(whatsapp.verifyToken);
    expect([right.status, await right.text()]).toEqual([200, '1158201444']);
    for (const wrong of [
      await challenge('another-word-altogether'),
      await challenge(''),
      await challenge(whatsapp.verifyToken, 'unsubscribe'),
      await challenge(whatsapp.verifyToken, 'subscribe', '<script>'),
    ]) {
      expect(wrong.status).toBe(403);
      expect(await wrong.text()).not.toContain('script');
    }
  });

  it('takes what is signed', async () => {
    const response = await post(payload('hello'));
    expect(response.status).toBe(200);
    expect(line.events).toMatchObject([{ text: 'hello', sender: { id: ADA.phone } }]);
  });

  it.each<[string, (body: string) => Readonly<Record<string, string>>]>([
    ['no signature', () => ({ 'x-hub-signature-256': '' })],
    ['another secret', body => ({ 'x-hub-signature-256': signatureOf(body, 'another') })],
    [
      'the signature of another body',
      () => ({ 'x-hub-signature-256': signatureOf('{}', whatsapp.appSecret) }),
    ],
    ['a short one', () => ({ 'x-hub-signature-256': 'sha256=00' })],
    ['the old kind', () => ({ 'x-hub-signature-256': '', 'x-hub-signature': 'sha1=00' })],
  ])('refuses %s with 401, and nothing happens', async (_, headers) => {
    const body = payload('let me in');
    expect((await post(body, headers(body))).status).toBe(401);
    expect(line.events).toEqual([]);
    expect(whatsapp.sent).toEqual([]);
    expect(line.log.join('')).not.toContain('let me in');
  });

  it('looks at the bytes that came, not at what they mean', async () => {
    const body = payload('hello');
    const spaced = body.replace('{', '{ ');
    const headers = { 'x-hub-signature-256': signatureOf(body, whatsapp.appSecret) };
    expect((await post(spaced, headers)).status).toBe(401);
    expect(line.events).toEqual([]);
  });

  it('reads no more than it must', async () => {
    const body = JSON.stringify({ object: 'x'.repeat(5 * MIB) });
    const status = await post(body).then(
      response => response.status,
      () => 413, // it was cut off in the middle
    );
    expect(status).toBe(413);
  });

  it('fills no log with what strangers break off', async () => {
    for (let at = 0; at < 5; at++) await (await beginning(9)).breakOff();
    // What follows is answered, so what came before was dealt with.
    expect((await post(payload('hello'))).status).toBe(200);
    expect(line.log.filter(each => each.includes('"level":"error"'))).toEqual([]);
  });

  it('waits for nobody who only begins to say something when it is closed', async () => {
    const { answer } = await beginning(9);
    await line.connection.close();
    // A request that ran into the server's time limit would be answered with 408.
    expect(await answer).toBe('');
  });

  it('holds little of what strangers begin to say, and lets go of those who began first', async () => {
    const strangers: Awaited<ReturnType<typeof beginning>>[] = [];
    for (let at = 0; at < 6; at++) strangers.push(await beginning(4 * MIB - 1));
    await expect.poll(() => strangers.filter(({ isOver }) => isOver()).length).toBe(3);
    expect((await post(payload('hello'))).status).toBe(200);
    expect(strangers.map(({ isOver }) => isOver())).toEqual([true, true, true, false, false, false]);
  });

  it.each([
    ['PUT', '', 405],
    ['POST', '/other', 404],
    ['GET', '/..%2f', 404],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await fetch(`${line.url}${path}`, { method })).status).toBe(status);
  });

  it('takes signed rubbish without a word, so that it does not come for ever', async () => {
    expect((await post('[1,null,{"object":7}]')).status).toBe(200);
    expect((await post('not json')).status).toBe(400);
    expect(line.events).toEqual([]);
  });

  it('gives a message that comes twice, at once or later, once', async () => {
    const body = payload('once');
    const answers = await Promise.all([post(body), post(body)]);
    expect([...answers, await post(body)].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(line.events).toHaveLength(1);
  });

  it('answers 500 when a message cannot be received, and takes it when it comes again', async () => {
    let isFull = true;
    await reconnect({
      receive: async () => {
        if (isFull) throw new Error('disk full');
      },
    });
    expect((await post(payload('keep me'))).status).toBe(500);
    isFull = false;
    expect((await post(payload('keep me'))).status).toBe(200);
    expect(line.events).toHaveLength(1);
  });

  it('takes a chat that is stored slowly for no reason to hold up another', async () => {
    const slow = Promise.withResolvers<void>();
    await reconnect({ receive: event => (event.sender.id === ADA.phone ? slow.promise : Promise.resolve()) });
    const held = post(payload('slow'));
    expect((await post(payload('quick', '447700900123'))).status).toBe(200);
    expect(line.events).toMatchObject([{ text: 'quick' }]);
    slow.resolve();
    expect((await held).status).toBe(200);
  });

  it('cannot be where something else is', async () => {
    const { port } = new URL(line.url);
    const error = await failure(connectWhatsApp(whatsapp, { environment: { WHATSAPP_PORT: port } }));
    expect(error).toMatchObject({
      code: 'UNAVAILABLE_PLATFORM',
      message: expect.stringContaining('whatsapp.port'),
    });
  });
});

describe('people', () => {
  it('who hide their number later are who they were, also after a restart', async () => {
    const home = await mkdtemp(join(tmpdir(), 'hermes-whatsapp-'));
    onTestFinished(() => rm(home, { recursive: true }));
    await reconnect({ home });
    whatsapp.say(ADA, 'one');
    await line.event(event => event.kind === 'message' && event.text === 'one');
    await reconnect({ home });
    whatsapp.say({ userId: ADA.userId, name: 'ada' }, 'two');
    const two = await line.event(event => event.kind === 'message' && event.text === 'two');
    expect(two).toMatchObject({ sender: { id: ADA.phone }, chat });
    expect(await line.platform.sameAs?.(ADA.phone)).toEqual([ADA.userId, `+${ADA.phone}`]);
  });

  it('without a number are answered by their other id', async () => {
    whatsapp.say({ userId: 'US.777' }, 'hi');
    const event = await line.event(({ sender }) => sender.id === 'US.777');
    await line.connection.send(event.chat, { text: 'hello' });
    expect(whatsapp.sent).toMatchObject([{ chat: 'US.777', text: 'hello' }]);
  });
});

describe('sending', () => {
  it('asks for no preview of addresses in an answer', async () => {
    await line.connection.send(chat, { text: 'see https://example.org/?q=secret' });
    expect(whatsapp.sent).toMatchObject([{ previewUrl: false }]);
  });

  it('shows four choices as a list, and gives what is chosen', async () => {
    const buttons = ['Once', 'Session', 'Always', 'Deny'].map(label => [{ label, data: `a:${label}` }]);
    const { ids } = await line.connection.send(chat, { text: 'May I?', buttons });
    expect(whatsapp.sent[0]).toMatchObject({ type: 'interactive', buttons: buttons.flat() });
    whatsapp.press(ADA, ids[0] ?? '', 'a:Deny');
    expect(await line.event(({ kind }) => kind === 'button')).toMatchObject({
      data: 'a:Deny',
      messageId: ids[0],
    });
  });

  it('marks the last message as read when it shows that somebody writes', async () => {
    const id = whatsapp.say(ADA, 'hello');
    await line.event(() => true);
    await line.connection.typing?.(chat);
    const { params } = await whatsapp.whenCalled('messages');
    expect(params).toMatchObject({ status: 'read', message_id: id, typing_indicator: { type: 'text' } });
    await line.connection.typing?.({ id: '447700900123', kind: 'private' });
    expect(whatsapp.calls.filter(({ name }) => name === 'messages')).toHaveLength(1);
  });

  it.each([
    ['drop', true],
    ['drop-after', true],
    ['bad-gateway', true],
    ['server-error', false],
    ['hang', true],
  ] as const)('after %s says whether the message may have arrived: %s', async (fault, mayBeDelivered) => {
    whatsapp.fault('messages', fault);
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { mayBeDelivered } });
    expect(whatsapp.sent).toHaveLength(fault === 'drop-after' ? 1 : 0);
  });

  it.each([
    [{ status: 400, code: 131056, details: 'pair rate limit' }, 6000],
    [{ status: 400, code: 80007, details: 'rate limit', headers: usage(2) }, 120_000],
    [{ status: 429, code: 4, details: 'too many', headers: { 'retry-after': '90' } }, 90_000],
  ])('heeds the limit %j', async (refusal, waitMs) => {
    const clock = manualClock();
    await reconnect({ clock });
    whatsapp.fault('messages', refusal);
    const sent = line.connection.send(chat, { text: 'x' });
    if (waitMs > 60_000) {
      const error = await failure(sent);
      expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { retryAfterMs: waitMs } });
      return;
    }
    await expect.poll(() => clock.pending()).toContain(waitMs);
    expect(whatsapp.sent).toEqual([]);
    clock.advance(waitMs);
    await sent;
    expect(whatsapp.sent.map(({ text }) => text)).toEqual(['x']);
  });

  it.each([
    [131030, 'phone number list'],
    [131026, 'blocked'],
    [131031, 'WhatsApp Manager'],
  ])('says what to do about %i', async (code, hint) => {
    whatsapp.fault('messages', { status: 400, code, details: 'No' });
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'USAGE_NOT_DELIVERED', message: expect.stringContaining(hint) });
  });

  it('repeats no token that a server repeats', async () => {
    whatsapp.fault('messages', {
      status: 400,
      code: 100,
      details: `Malformed access token ${whatsapp.token}`,
    });
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error.message).toContain('Malformed access token');
    expect(inspect(error, { depth: 9 })).not.toContain(whatsapp.token);
  });

  it.each([10, 200, 131005])('takes a permission that is missing (%i) for a bad token', async code => {
    whatsapp.fault('messages', { status: 403, code, details: 'Permission denied' });
    expect((await failure(line.connection.send(chat, { text: 'x' }))).code).toBe('AUTH_PLATFORM_TOKEN');
  });

  it('sends a picture as one, and as a document when WhatsApp does not take it for one', async () => {
    const file = { name: 'chart.png', bytes: Buffer.from('png') };
    await line.connection.sendFile(chat, file);
    whatsapp.fault('messages', { status: 400, code: 131053, details: 'Media upload error' });
    await line.connection.sendFile(chat, { ...file, caption: 'wide' });
    await line.connection.sendFile(chat, { name: 'big.jpg', bytes: Buffer.alloc(5 * MIB + 1) });
    expect(whatsapp.sent.map(({ type, text, file: sent }) => [type, sent?.mime, text])).toEqual([
      ['image', 'image/png', ''],
      ['document', 'text/plain', 'wide'],
      ['document', 'text/plain', ''],
    ]);
  });

  it('sends what is under a sound, or too long, as a text of its own', async () => {
    const caption = 'word '.repeat(300).trim();
    const bytes = Buffer.from('a');
    const { ids } = await line.connection.sendFile(chat, { name: 'a.mp3', bytes, caption: 'listen' });
    const long = await line.connection.sendFile(chat, { name: 'a.pdf', bytes, caption });
    expect(whatsapp.sent.map(({ id, type, text }) => [id, type, text])).toEqual([
      [ids[0], 'audio', ''],
      [ids[1], 'text', 'listen'],
      [long.ids[0], 'document', ''],
      [long.ids[1], 'text', caption],
    ]);
  });
});

describe('files of people', () => {
  const given = async (options: Parameters<WhatsAppDouble['say']>[2]) => {
    whatsapp.say(ADA, 'x', options);
    const event = await line.event(({ kind }) => kind === 'message');
    return event.kind === 'message' ? event.files[0] : undefined;
  };

  it('are asked for again when the server fails', async () => {
    const file = await given({ file: { name: 'a', kind: 'image', bytes: Buffer.from('pixels') } });
    whatsapp.fault('media-url', 'server-error');
    whatsapp.fault('file', 'drop');
    expect(Buffer.from(await line.connection.fetchFile(file?.ref)).toString()).toBe('pixels');
  });

  it('that have expired are gone', async () => {
    const file = await given({ file: { name: 'a.txt', bytes: Buffer.from('x') } });
    whatsapp.fault('file', { status: 404, code: 100, details: 'expired' });
    expect((await failure(line.connection.fetchFile(file?.ref))).code).toBe('USAGE_NOT_DELIVERED');
  });

  it('are fetched from nowhere that is not WhatsApp’s: the token would go along', async () => {
    const other = await startWhatsApp();
    onTestFinished(() => other.close());
    const file = await given({ file: { name: 'a.txt', bytes: Buffer.from('x') } });
    whatsapp.business.fileHost = other.apiRoot;
    expect(await failure(line.connection.fetchFile(file?.ref))).toMatchObject({
      code: 'USAGE_NOT_DELIVERED',
    });
    whatsapp.business.fileHost = '';
    whatsapp.fault('file', { redirectTo: new URL(other.apiRoot).origin }, { times: 9 });
    const error = await failure(line.connection.fetchFile(file?.ref));
    expect(error.code).toBe('UNAVAILABLE_PLATFORM');
    expect(inspect(error, { depth: 9 })).not.toContain(whatsapp.token);
    expect(other.calls).toEqual([]);
  });
});

describe('set up', () => {
  it('with a number that the token may not use it says so', async () => {
    const other = await failure(
      connectWhatsApp(whatsapp, { environment: { WHATSAPP_PHONE_NUMBER_ID: '99999' } }),
    );
    expect(other).toMatchObject({
      code: 'AUTH_PLATFORM_TOKEN',
      message: expect.stringContaining('phone_number_id'),
    });
  });

  it('says which number it is, and takes no messages by asking', async () => {
    const said = await line.platform.check?.();
    expect(said).toBe('as Hermes Test (+1 555-078-3881)');
  });

  it('warns where others can reach it', async () => {
    await reconnect({ environment: { WHATSAPP_HOST: '0.0.0.0' } });
    expect(line.platform.warnings?.join()).toContain('whatsapp.host is 0.0.0.0');
  });

  it('in half it names what is missing', async () => {
    const { createPlatform } = await import('../../../src/platforms/whatsapp/index.ts');
    const { section } = await import('../../../src/platforms/whatsapp/settings.ts');
    const { loadConfig } = await import('../../../src/config/load.ts');
    const environment = { HERMES_HOME: '/nonexistent', WHATSAPP_ACCESS_TOKEN: 'EAAsomething' };
    const config = await loadConfig({ sections: [section], environment, flags: {} });
    expect(() => createPlatform(config, {} as never)).toThrow(
      /phone_number_id, whatsapp\.app_secret, whatsapp\.verify_token are missing/,
    );
    const none = await loadConfig({
      sections: [section],
      environment: { HERMES_HOME: '/nonexistent' },
      flags: {},
    });
    expect(createPlatform(none, {} as never)).toBeUndefined();
  });
});

function usage(minutes: number): Readonly<Record<string, string>> {
  const told = { '1022': [{ type: 'whatsapp', call_count: 100, estimated_time_to_regain_access: minutes }] };
  return { 'x-business-use-case-usage': JSON.stringify(told) };
}
