// What is Signal's own: two ids for one person, notes to oneself, groups, reactions, and a daemon that fails in its own
// ways. What all platforms do alike is proved by test/conformance-platforms.

import { describe, expect, it } from 'vitest';
import type { HermesError } from '../../../src/base/errors.ts';
import type { Chat } from '../../../src/platforms/platform.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { fc } from '../../property.ts';
import { type MessageEvent, openSignal, type SignalLine } from './signal-line.ts';

const ADA = { uuid: 'a0a0a0a0-0000-4000-8000-000000000001', number: '+4915100000042', name: 'Ada' };
const BOB = { uuid: 'b0b0b0b0-0000-4000-8000-000000000002', name: 'Bob' };
const GROUP = 'Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI=';
const adas: Chat = { id: ADA.uuid, kind: 'private' };
const buttons = [
  [
    { label: 'Once', data: 'o' },
    { label: 'Session', data: 's' },
  ],
  [{ label: 'Deny', data: 'd' }],
];

const failure = (work: Promise<unknown>): Promise<HermesError> =>
  work.then(
    value => Promise.reject(new Error(`gave ${JSON.stringify(value)}`)),
    (error: HermesError) => error,
  );
const textsOf = ({ events }: SignalLine): string[] =>
  events.map(event => (event.kind === 'message' ? event.text : event.data));

describe('who somebody is', () => {
  it('is one person by number and by account id, and by either in a list', async () => {
    const { signal, connect, platform } = await openSignal();
    const line = await connect();
    signal.say(ADA, 'both');
    signal.say({ number: ADA.number }, 'number alone');
    signal.say({ uuid: ADA.uuid.toUpperCase() }, 'id alone');
    const said = [
      await line.message('both'),
      await line.message('number alone'),
      await line.message('id alone'),
    ];
    expect(new Set(said.map(({ sender, chat }) => `${sender.id} ${chat.id}`))).toEqual(
      new Set([`${ADA.uuid} ${ADA.uuid}`]),
    );
    // Another life of the gateway knows it without a connection.
    const later = await platform();
    expect(await later.sameAs?.(ADA.uuid)).toEqual([ADA.number]);
    expect(await later.sameAs?.(ADA.number)).toEqual([ADA.uuid]);
    expect(await later.sameAs?.(BOB.uuid)).toEqual([]);
  });

  it('does not pass on with a number that has changed hands', async () => {
    const { signal, connect, platform, log } = await openSignal();
    const line = await connect();
    signal.say(ADA, 'first');
    await line.message('first');
    signal.say({ ...BOB, number: ADA.number }, 'second');
    expect((await line.message('second')).sender.id).toBe(BOB.uuid);
    const later = await platform();
    expect(await later.sameAs?.(BOB.uuid)).toEqual([]);
    expect(await later.sameAs?.(ADA.uuid)).toEqual([ADA.number]);
    expect(log.join('')).toContain('changed hands');
  });
});

describe('a note to oneself', () => {
  it('is a private chat of the owner of the account, and answers go there', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    signal.sayElsewhere('hello me');
    const { chat, sender } = await line.message('hello me');
    expect([chat.kind, chat.id, sender.id]).toEqual(['private', signal.account.uuid, signal.account.uuid]);
    await line.connection.send(chat, { text: 'hello you' });
    await line.connection.typing?.(chat);
    expect(signal.sent).toMatchObject([{ chat: 'self', text: 'hello you' }]);
    expect(signal.calls.map(({ method }) => method)).not.toContain('sendTyping');
  });

  it('is not what we wrote there ourselves, nor what the owner writes to others or edits', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    const own: Chat = { id: signal.account.uuid, kind: 'private' };
    const { ids } = await line.connection.send(own, { text: 'mine' });
    signal.sayElsewhere('mine', signal.account, { timestamp: Number(ids[0]) });
    signal.sayElsewhere('to Ada', ADA);
    signal.sayElsewhere('to a group', signal.account, { group: GROUP });
    signal.sayElsewhere('changed', signal.account, { more: { editMessage: { targetSentTimestamp: 1 } } });
    signal.sayElsewhere('after');
    await line.message('after');
    expect(textsOf(line)).toEqual(['after']);
  });

  it('is not what we wrote when it comes back before the daemon has answered', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    const own: Chat = { id: signal.account.uuid, kind: 'private' };
    signal.fault('send', 'hang');
    const sending = failure(line.connection.send(own, { text: 'on its way' }));
    await signal.whenCalled('send');
    signal.sayElsewhere('on its way');
    signal.sayElsewhere('after');
    await line.message('after');
    expect(textsOf(line)).toEqual(['after']);
    await line.connection.close();
    expect((await sending).code).toBe('UNAVAILABLE_PLATFORM');
  });

  it('can hold a card that is answered there', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    const own: Chat = { id: signal.account.uuid, kind: 'private' };
    const { ids } = await line.connection.send(own, { text: 'May I?', buttons });
    signal.react(signal.account, ids[0] ?? '', { emoji: '👎' });
    expect(await line.button()).toMatchObject({ chat: own, data: 'd' });
  });
});

describe('groups', () => {
  it('are silent unless they are listed', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect({ SIGNAL_ALLOWED_GROUPS: GROUP });
    signal.say(ADA, 'elsewhere', { group: 'b3RoZXI=', mentions: [signal.account] });
    signal.say(ADA, 'here', { group: GROUP, mentions: [signal.account] });
    expect(await line.message('here')).toMatchObject({
      chat: { id: GROUP, kind: 'group' },
      isAddressed: true,
    });
    expect(textsOf(line)).toEqual(['here']);
  });

  it('teach nothing about people while they are not listed', async () => {
    const { signal, connect, platform } = await openSignal();
    const line = await connect({ SIGNAL_ALLOWED_GROUPS: GROUP });
    signal.say({ ...BOB, number: '+4915100000043' }, 'elsewhere', {
      group: 'b3RoZXI=',
      mentions: [signal.account],
    });
    signal.say(ADA, 'here', { group: GROUP, mentions: [signal.account] });
    await line.message('here');
    const later = await platform();
    expect(await later.sameAs?.(BOB.uuid)).toEqual([]);
    expect(await later.sameAs?.(ADA.uuid)).toEqual([ADA.number]);
  });

  it('hear what mentions us or answers us, and read other mentions in words', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect({ SIGNAL_ALLOWED_GROUPS: GROUP });
    signal.say(ADA, 'reply', { group: GROUP, quotes: signal.account });
    signal.say(ADA, 'to Bob', { group: GROUP, mentions: [BOB] });
    expect((await line.message('reply')).isAddressed).toBe(true);
    expect((await line.message(`@${BOB.uuid} to Bob`)).isAddressed).toBe(false);
  });

  it('get answers, files and typing signs as groups', async () => {
    const { signal, connect } = await openSignal();
    const { connection } = await connect({ SIGNAL_ALLOWED_GROUPS: GROUP });
    const chat: Chat = { id: GROUP, kind: 'group' };
    await connection.typing?.(chat);
    await connection.sendFile(chat, { name: 'a.txt', bytes: Buffer.from('a') });
    expect(signal.sent).toMatchObject([{ chat: GROUP, file: { name: 'a.txt' } }]);
    await signal.whenCalled('sendTyping', ({ params }) => params['groupId'] === GROUP);
  });
});

describe('reactions', () => {
  it('answer a card: the text says how, the colour of the hand does not matter', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    const { ids } = await line.connection.send(adas, { text: 'May I?', buttons });
    expect(signal.sent[0]?.text).toBe('May I?\n\nReact to answer: 👍 Once · 2️⃣ Session · 👎 Deny');
    signal.react(ADA, ids[0] ?? '', { emoji: '👍🏽' });
    const event = await line.button();
    expect(event).toMatchObject({ kind: 'button', chat: adas, sender: { id: ADA.uuid }, data: 'o' });
    await line.connection.answerButton?.(event.id, 'Approved.');
    expect(signal.sent.at(-1)).toMatchObject({ chat: ADA.uuid, text: 'Approved.' });
  });

  it('mean nothing with another emoji, taken back, elsewhere, on another message, or a second time', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect({ SIGNAL_ALLOWED_GROUPS: GROUP });
    const { ids } = await line.connection.send(adas, { text: 'May I?', buttons });
    const [id = ''] = ids;
    signal.react(ADA, id, { emoji: '😂' });
    signal.react(ADA, id, { emoji: '__proto__' });
    signal.react(ADA, id, { emoji: '👍', isRemove: true });
    signal.react(BOB, id, { emoji: '👍' });
    signal.react(ADA, id, { emoji: '👍', group: GROUP });
    signal.react(ADA, '12345', { emoji: '👍' });
    const stolen = {
      emoji: '👍',
      targetAuthorUuid: BOB.uuid,
      targetSentTimestamp: Number(id),
      isRemove: false,
    };
    signal.say(ADA, '', { more: { reaction: stolen } });
    signal.react(ADA, id, { emoji: '👎' });
    signal.repeatLast();
    signal.say(ADA, 'after');
    await line.message('after');
    expect(textsOf(line)).toEqual(['d', 'after']);
  });

  it('P12: are not lost when they could not be stored at first', async () => {
    const { signal, connect } = await openSignal();
    let failures = 1;
    const line = await connect({}, async () => {
      if (failures-- > 0) throw new Error('the disk is full');
    });
    const { ids } = await line.connection.send(adas, { text: 'May I?', buttons });
    signal.react(ADA, ids[0] ?? '', { emoji: '👍' });
    expect(await line.button()).toMatchObject({ data: 'o' });
  });

  it('answer a card also after a restart', async () => {
    const { signal, connect } = await openSignal();
    const before = await connect();
    const { ids } = await before.connection.send(adas, { text: 'May I?', buttons });
    await before.connection.close();
    const line = await connect();
    signal.react(ADA, ids[0] ?? '', { emoji: '2️⃣' });
    expect(await line.button()).toMatchObject({ data: 's' });
  });
});

describe('what is no message', () => {
  it('is ignored: stories, receipts, typing, calls, edits, deletions, timers, group changes, syncs', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect({ SIGNAL_ALLOWED_GROUPS: GROUP });
    signal.background(ADA, GROUP);
    await line.connection.send(adas, { text: 'has receipts' });
    signal.say(ADA, 'to a story', { more: { storyContext: { authorNumber: null, sentTimestamp: 1 } } });
    signal.say(ADA, 'edited', { edits: 1 });
    signal.say({}, 'from nobody');
    signal.say(ADA, 'after');
    await line.message('after');
    expect(textsOf(line)).toEqual(['after']);
  });

  it('is survived, whatever it is, in the shape of the daemon', async () => {
    const { signal, connect } = await openSignal({}, manualClock());
    const line = await connect({ SIGNAL_ALLOWED_GROUPS: GROUP });
    const odd = fc.oneof(
      fc.oneof(fc.string(), fc.integer(), fc.boolean()),
      fc.constantFrom<unknown>(null, {}, []),
    );
    const few = { maxKeys: 4 };
    const parts = fc.dictionary(fc.constantFrom('id', 'start', 'length', 'uuid', 'valueOf'), odd, few);
    const fields = ['timestamp', 'message', 'groupInfo', 'mentions', 'attachments', 'quote', 'reaction'];
    const message = fc.dictionary(
      fc.constantFrom(...fields),
      fc.oneof(odd, fc.array(parts, { maxLength: 2 })),
      few,
    );
    const envelope = fc.dictionary(
      fc.constantFrom('source', 'sourceUuid', 'sourceName', 'dataMessage', 'syncMessage'),
      fc.oneof(odd, message, fc.record({ sentMessage: message })),
      few,
    );
    for (const each of fc.sample(envelope, 300))
      signal.push({ envelope: each, account: signal.account.number });
    for (const each of fc.sample(message, 300)) {
      const dataMessage = { timestamp: 7, message: 'm', ...each };
      signal.push({ envelope: { sourceUuid: ADA.uuid, dataMessage }, account: signal.account.number });
    }
    for (const text of ['', '{', 'null', '"x"', '[]\n[]', '\u0000', 'x'.repeat(5 * 1024 * 1024)])
      signal.push(text);
    signal.say(ADA, 'still there');
    await line.message('still there');
    expect(line.states.map(({ kind }) => kind)).toEqual(['connected']);
  });
});

describe('files', () => {
  it('get a name where people gave none, and are asked for only when somebody wants them', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    const bytes = Buffer.from('picture');
    signal.say(ADA, 'look', { file: { name: '', bytes, contentType: 'image/png' } });
    const [file] = (await line.message('look')).files;
    expect(file?.name).toMatch(/^image-\d+-1\.bin$/);
    expect(signal.calls.map(({ method }) => method)).not.toContain('getAttachment');
    expect(Buffer.from(await line.connection.fetchFile(file?.ref))).toEqual(bytes);
  });

  it('that the daemon does not have any more are gone for good', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    signal.say(ADA, 'look', { file: { name: 'a', bytes: Buffer.from('a') } });
    const [file] = (await line.message('look')).files;
    signal.forgetFile('at1.bin');
    const error = await failure(line.connection.fetchFile(file?.ref));
    expect([error.code, error.message]).toEqual(['USAGE_NOT_DELIVERED', expect.stringContaining('not kept')]);
  });

  it('are fetched again after a failure that may pass', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    signal.say(ADA, 'look', { file: { name: 'a', bytes: Buffer.from('abc') } });
    const [file] = (await line.message('look')).files;
    signal.fault('getAttachment', 'bad-gateway');
    signal.fault('getAttachment', 'drop');
    expect(Buffer.from(await line.connection.fetchFile(file?.ref)).toString()).toBe('abc');
  });

  it.each(['../../etc/passwd', '/etc/passwd', '.hidden', ''])(
    'with the id %j are not asked for',
    async id => {
      const { signal, connect } = await openSignal();
      const { connection } = await connect();
      await failure(connection.fetchFile({ id, recipient: ADA.uuid }));
      expect(signal.calls.map(({ method }) => method)).not.toContain('getAttachment');
    },
  );

  it('of 16 MB go both ways, whole', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    const bytes = Buffer.alloc(16 * 1024 * 1024 + 1, 'hermes ');
    await line.connection.sendFile(adas, { name: 'big.bin', bytes });
    expect(Buffer.compare(signal.sent[0]?.file?.bytes ?? Buffer.alloc(0), bytes)).toBe(0);
    signal.say(ADA, 'big', { file: { name: 'big.bin', bytes } });
    const [file] = (await line.message('big')).files;
    expect(Buffer.compare(await line.connection.fetchFile(file?.ref), bytes)).toBe(0);
  });

  it('that are too large for an older daemon are not tried for ever', async () => {
    const { signal, connect } = await openSignal();
    const { connection } = await connect();
    const send = (size: number) => connection.sendFile(adas, { name: 'big', bytes: Buffer.alloc(size) });
    signal.fault('send', 'server-error', { times: 2 });
    const large = await failure(send(15 * 1024 * 1024));
    expect([large.code, large.message]).toEqual([
      'USAGE_NOT_DELIVERED',
      expect.stringContaining('Update it'),
    ]);
    expect((await failure(send(1024))).code).toBe('UNAVAILABLE_PLATFORM');
  });

  it('with a long caption have it as a text of its own', async () => {
    const { signal, connect } = await openSignal();
    const { connection } = await connect();
    const caption = 'word '.repeat(500).trim();
    const { ids } = await connection.sendFile(adas, { name: 'a.png', bytes: Buffer.from('a'), caption });
    expect(signal.sent.map(({ id, text, file }) => [id, text, file?.type])).toEqual([
      [ids[0], '', 'image/png'],
      [ids[1], caption, undefined],
    ]);
  });
});

describe('sending that fails', () => {
  it.each([
    ['drop', 'UNAVAILABLE_PLATFORM', true],
    ['drop-after', 'UNAVAILABLE_PLATFORM', true],
    ['hang', 'UNAVAILABLE_PLATFORM', true],
    ['bad-gateway', 'UNAVAILABLE_PLATFORM', true],
    ['io-error', 'UNAVAILABLE_PLATFORM', true],
    ['nonsense', 'UNAVAILABLE_PLATFORM', true],
    ['network-failure', 'UNAVAILABLE_PLATFORM', false],
    ['blocked', 'USAGE_NOT_DELIVERED', undefined],
  ] as const)(
    'after %s throws %s, and says whether it may have arrived',
    async (fault, code, mayBeDelivered) => {
      const { signal, connect } = await openSignal();
      const { connection } = await connect();
      signal.fault('send', fault);
      const error = await failure(connection.send(adas, { text: 'x' }));
      expect([error.code, error.details['mayBeDelivered']]).toEqual([code, mayBeDelivered]);
    },
  );

  it('says how to trust somebody whose safety number has changed', async () => {
    const { signal, connect } = await openSignal();
    const { connection } = await connect();
    signal.fault('send', 'untrusted');
    const error = await failure(connection.send(adas, { text: 'x' }));
    expect(error.code).toBe('USAGE_NOT_DELIVERED');
    expect(error.message).toContain(`signal-cli -a ${signal.account.number} trust -v`);
  });

  it.each([429, 413])('waits as long as a %i asks, and then delivers', async status => {
    const clock = manualClock();
    const { signal, connect } = await openSignal({}, clock);
    const { connection } = await connect();
    signal.fault('send', { status, retryAfter: 2 });
    const sent = connection.send(adas, { text: 'patient' });
    await expect.poll(() => clock.pending()).toContain(2000);
    expect(signal.sent).toEqual([]);
    clock.advance(2000);
    await sent;
    expect(signal.sent.map(({ text }) => text)).toEqual(['patient']);
  });

  it('leaves a wait of minutes to the caller, and asks no sooner', async () => {
    const { signal, connect } = await openSignal({}, manualClock());
    const { connection } = await connect();
    signal.fault('send', { retryAfterSeconds: 3600 });
    const first = await failure(connection.send(adas, { text: 'x' }));
    const second = await failure(connection.send({ id: BOB.uuid, kind: 'private' }, { text: 'y' }));
    expect(first.details['retryAfterMs']).toBe(3_600_000);
    expect(second.details['retryAfterMs']).toBe(3_600_000);
    expect(signal.calls.filter(({ method }) => method === 'send')).toHaveLength(1);
  });

  it('goes nowhere else when it is sent elsewhere', async () => {
    const { signal, connect } = await openSignal();
    const other = await openSignal();
    const { connection } = await connect();
    signal.fault('send', { redirectTo: `${other.signal.url}/api/v1/rpc` });
    expect((await failure(connection.send(adas, { text: 'x' }))).code).toBe('UNAVAILABLE_PLATFORM');
    expect(other.signal.calls).toEqual([]);
  });

  it('ends the platform when Signal has shut the account out', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    signal.fault('send', 'unauthorized');
    expect((await failure(line.connection.send(adas, { text: 'x' }))).code).toBe('AUTH_PLATFORM_TOKEN');
    expect(await line.state('failed')).toMatchObject({ code: 'AUTH_PLATFORM_TOKEN' });
  });
});

describe('the stream', () => {
  it('that is silent for too long is dropped, and opened again where it was', async () => {
    const clock = manualClock();
    const { signal, connect } = await openSignal({}, clock);
    const line = await connect();
    signal.say(ADA, 'one');
    await line.message('one');
    signal.freezeStreams();
    signal.say(ADA, 'two');
    // What came last may still be at work; then it listens again.
    await expect.poll(() => clock.pending()).toContain(50_000);
    expect(line.states.map(({ kind }) => kind)).toEqual(['connected']);
    clock.advance(50_000);
    const state = await line.state('offline');
    expect(state.kind === 'offline' && state.reason).toContain('said nothing');
    await expect.poll(() => clock.pending().some(ms => ms <= 500)).toBe(true);
    clock.advance(500);
    await line.message('two');
    await line.state('connected', line.states.indexOf(state));
    expect(textsOf(line)).toEqual(['one', 'two']);
  });

  it('that breaks off again and again loses and repeats nothing', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    for (let at = 0; at < 5; at++) {
      await signal.whenListening();
      signal.say(ADA, `before ${at}`);
      signal.dropStreams();
      signal.say(ADA, `after ${at}`);
      await line.message(`after ${at}`);
    }
    expect(textsOf(line)).toEqual([0, 1, 2, 3, 4].flatMap(at => [`before ${at}`, `after ${at}`]));
  });

  it('gives what came while no gateway ran', async () => {
    const { signal, connect } = await openSignal();
    const before = await connect();
    signal.say(ADA, 'one');
    await before.message('one');
    await before.connection.close();
    signal.say(ADA, 'two');
    const line = await connect();
    await line.message('two');
    expect(textsOf(line)).toEqual(['two']);
  });

  it('of a daemon that was started again goes on, with the same ids for what is repeated', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    const timestamp = signal.say(ADA, 'one');
    const { id } = await line.message('one');
    signal.restart();
    signal.say(ADA, 'one', { timestamp });
    signal.say(ADA, 'two');
    await line.message('two');
    expect(line.events.map(event => event.id).filter(each => each === id)).toHaveLength(2);
  });

  it('of an older daemon, which numbers nothing, works while it lasts', async () => {
    const { signal, connect } = await openSignal({ events: 'unnumbered', accounts: 'one' });
    const line = await connect();
    await signal.whenListening();
    signal.say(ADA, 'one');
    await line.message('one');
    signal.dropStreams();
    await line.state('offline');
    await line.state('connected', line.states.length);
    signal.say(ADA, 'two');
    await line.message('two');
  });

  it('gives late messages as they come', async () => {
    const { signal, connect } = await openSignal();
    const line = await connect();
    signal.say(ADA, 'newer', { timestamp: 2_000_000_000_000 });
    signal.say(ADA, 'older', { timestamp: 1_000_000_000_000 });
    await line.message('older');
    const ids = (line.events as readonly MessageEvent[]).map(({ id }) => id);
    expect(ids).toEqual([`${ADA.uuid}:2000000000000`, `${ADA.uuid}:1000000000000`]);
  });

  it.each([
    ['no daemon', { status: 404 }, 'no signal-cli daemon'],
    ['another name', { status: 421 }, 'signal.http_url'],
    ['a broken one', { status: 500 }, 'could not do events'],
    ['a page', 'nonsense', 'signal.http_url'],
  ] as const)('behind which is %s is tried again, and said to be', async (_, fault, words) => {
    const { signal, connect } = await openSignal();
    // A client asks once more by itself after a 421.
    signal.fault('events', fault, { times: 2 });
    const line = await connect();
    const state = await line.state('offline');
    expect(state.kind === 'offline' && state.reason).toContain(words);
    await line.state('connected', line.states.indexOf(state));
  });
});
