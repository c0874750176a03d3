// Payloads written by hand after the public reference of the Cloud API's webhooks, and whatever else JSON can be.

import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../../test/property.ts';
import { type Account, eventOf, parsePayload } from './parse.ts';

const GROUP = 'Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD';
const account: Account = { phoneNumberId: '106540352242922', number: '15550783881', groups: [GROUP] };
const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };
const contact = {
  profile: { name: 'Sheena Nelson' },
  wa_id: '16505551234',
  user_id: 'US.13491208655302741918',
};
const base = { from: '16505551234', id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI1', timestamp: '1749416383' };

function payload(messages: readonly unknown[], more: object = {}): unknown {
  const value = { messaging_product: 'whatsapp', metadata, contacts: [contact], messages, ...more };
  const changes = [{ value, field: 'messages' }];
  return { object: 'whatsapp_business_account', entry: [{ id: '102290129340398', changes }] };
}

/** As if everybody were known by their number. */
function eventsOf(given: unknown) {
  return parsePayload(given, account).said.flatMap(
    said => eventOf(said, said.from.phone ?? said.from.userId ?? '', account) ?? [],
  );
}

const eventsIn = (...messages: readonly object[]) =>
  eventsOf(payload(messages.map(each => ({ ...base, ...each }))));

describe('recorded payloads', () => {
  it('a text', () => {
    expect(eventsIn({ type: 'text', text: { body: 'Does it come in another color?' } })).toEqual([
      {
        kind: 'message',
        id: base.id,
        chat: { id: '16505551234', kind: 'private' },
        sender: { id: '16505551234', name: 'Sheena Nelson' },
        text: 'Does it come in another color?',
        files: [],
        isAddressed: true,
      },
    ]);
  });

  it.each([
    [
      'image',
      { caption: 'a tree', mime_type: 'image/jpeg', sha256: 'x', id: '1003383421387256' },
      'image-VAgARGBI1.jpg',
    ],
    [
      'audio',
      { mime_type: 'audio/ogg; codecs=opus', sha256: 'x', id: '1908647269898587', voice: true },
      'ogg',
    ],
    ['video', { caption: 'a film', mime_type: 'video/mp4', id: '1' }, 'mp4'],
    ['sticker', { mime_type: 'image/webp', id: '2', animated: false }, 'webp'],
    ['document', { filename: 'lucky.pdf', mime_type: 'application/pdf', id: '3' }, 'lucky.pdf'],
  ])('a file: %s', (type, media, name) => {
    const [event] = eventsIn({ type, [type]: media });
    expect(event).toMatchObject({
      text: 'caption' in media ? media.caption : '',
      files: [{ name: expect.stringContaining(name.slice(-8)), ref: { mediaId: media.id } }],
    });
  });

  it('a place, and a card of somebody', () => {
    const events = eventsIn(
      { type: 'location', location: { latitude: 37.44, longitude: -122.16, name: 'Philz' } },
      {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Barbara' }, phones: [{ phone: '+1 650' }] }],
      },
    );
    expect(events).toMatchObject([
      { text: 'Location: 37.44, -122.16 (Philz)' },
      { text: 'Contact: Barbara, +1 650' },
    ]);
  });

  it('a button, and a row of a list', () => {
    const context = { from: '15550783881', id: 'wamid.card' };
    const events = eventsIn(
      {
        type: 'interactive',
        context,
        interactive: { type: 'button_reply', button_reply: { id: 'a:1', title: 'Once' } },
      },
      {
        type: 'interactive',
        context,
        interactive: { type: 'list_reply', list_reply: { id: 'a:2', title: 'Deny' } },
      },
    );
    expect(events).toMatchObject([
      { kind: 'button', data: 'a:1', messageId: 'wamid.card' },
      { kind: 'button', data: 'a:2', messageId: 'wamid.card' },
    ]);
  });

  it('a button of a template is what it says', () => {
    expect(eventsIn({ type: 'button', button: { payload: 'x', text: 'Go on' } })).toMatchObject([
      { kind: 'message', text: 'Go on' },
    ]);
  });

  it.each([
    [{ forwarded: true }, 'somebody else'],
    [{ frequently_forwarded: true }, 'somebody else'],
    [{ forwarded: false }, undefined],
    [{ id: 'wamid.x', from: '15550783881' }, undefined],
  ])('passed on by %j: %s', (context, forwardedFrom) => {
    const [event] = eventsIn({ type: 'text', text: { body: '/stop' }, context });
    expect(event && 'forwardedFrom' in event ? event.forwardedFrom : undefined).toBe(forwardedFrom);
  });

  it('several people at once, each under their name', () => {
    const other = { profile: { name: 'Bob' }, wa_id: '447700900123' };
    const text = { type: 'text', text: { body: 'x' } };
    const events = eventsOf(
      payload(
        [
          { ...base, ...text },
          { ...base, from: other.wa_id, id: 'wamid.2', ...text },
        ],
        {
          contacts: [other, contact],
        },
      ),
    );
    expect(events.map(({ sender }) => sender)).toEqual([
      { id: '16505551234', name: 'Sheena Nelson' },
      { id: '447700900123', name: 'Bob' },
    ]);
  });

  it('messages in the order in which they were said', () => {
    const text = (body: string, timestamp: string) => ({ type: 'text', text: { body }, timestamp });
    const events = eventsIn(text('second', '20'), text('third', '20'), text('first', '9'));
    expect(events.map(event => event.kind === 'message' && event.text)).toEqual(['first', 'second', 'third']);
  });

  it('somebody who hides their number', () => {
    const hidden = { profile: { name: 'Sheena', username: 'sheena' }, user_id: 'US.13491208655302741918' };
    const message = { id: base.id, from_user_id: hidden.user_id, type: 'text', text: { body: 'hi' } };
    const { said } = parsePayload(payload([message], { contacts: [hidden] }), account);
    expect(said.map(({ from }) => from)).toEqual([{ userId: hidden.user_id }]);
  });

  it('messages of ours that did not arrive, and no other status', () => {
    const failed = { status: 'failed', recipient_id: '1' };
    const statuses = [
      ...['sent', 'delivered', 'read'].map(status => ({ id: 'wamid.1', status, recipient_id: '1' })),
      { ...failed, id: 'wamid.2', errors: [{ code: 131047, title: 'Re-engagement message' }] },
      { ...failed, id: 'wamid.3', errors: [{ code: 131026, title: 'T', error_data: { details: 'D' } }] },
      { ...failed, id: 'wamid.4' },
      // Others in the group may have it.
      { ...failed, id: 'wamid.5', recipient_type: 'group', recipient_participant_id: '2' },
    ];
    const { said, failed: found } = parsePayload(payload([], { statuses }), account);
    expect([said, found]).toEqual([
      [],
      [
        { id: 'wamid.2', code: 131047, reason: 'Re-engagement message' },
        { id: 'wamid.3', code: 131026, reason: 'D' },
        { id: 'wamid.4', code: undefined, reason: 'no reason given' },
      ],
    ]);
  });
});

describe('in a group', () => {
  const text = (body: string, more: object = {}) => ({
    type: 'text',
    text: { body },
    group_id: GROUP,
    ...more,
  });

  it.each([
    ['@15550783881 what is new?', {}, true, 'what is new?'],
    ['and you, @15550783881?', {}, true, 'and you, @15550783881?'],
    ['@155507838815 hello', {}, false, '@155507838815 hello'],
    ['hello all', {}, false, 'hello all'],
    ['yes', { context: { from: '15550783881', id: 'wamid.q' } }, true, 'yes'],
  ])('%j is for the agent or not', (body, more, isAddressed, shown) => {
    expect(eventsIn(text(body, more))).toMatchObject([
      { chat: { id: GROUP, kind: 'group' }, sender: { id: '16505551234' }, isAddressed, text: shown },
    ]);
  });

  it('that is not listed nothing is heard', () => {
    expect(eventsIn(text('@15550783881 hello', { group_id: 'another' }))).toEqual([]);
  });
});

describe('no event is', () => {
  it.each([
    ['our own echo', { from: '15550783881', type: 'text', text: { body: 'x' } }],
    ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '👍' } }],
    [
      'an edit',
      { type: 'edit', edit: { original_message_id: 'w', message: { type: 'text', text: { body: 'x' } } } },
    ],
    ['a revocation', { type: 'revoke', revoke: { original_message_id: 'w' } }],
    ['a new number', { type: 'system', system: { type: 'user_changed_number', wa_id: '1', body: 'x' } }],
    ['an order', { type: 'order', order: { catalog_id: '1' } }],
    ['what WhatsApp cannot show', { type: 'unsupported', errors: [{ code: 131051 }], text: { body: 'x' } }],
    ['nobody’s', { from: 'admin', type: 'text', text: { body: 'x' } }],
    ['one without an id', { id: '', type: 'text', text: { body: 'x' } }],
  ])('%s', (_, message) => {
    expect(eventsIn(message)).toEqual([]);
  });

  it('a message to another number of the same app', () => {
    const other = { metadata: { ...metadata, phone_number_id: '999' } };
    expect(eventsOf(payload([{ ...base, type: 'text', text: { body: 'x' } }], other))).toEqual([]);
  });
});

describe('hostile payloads', () => {
  const keys = [
    'object',
    'entry',
    'changes',
    'value',
    'metadata',
    'messages',
    'contacts',
    'from',
    'id',
    'type',
    'text',
  ];
  const json = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(fc.string(), fc.integer(), fc.double(), fc.constant(null), fc.boolean()),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys, 'body', '__proto__', 'constructor', 'length'), tie('value'), {
        maxKeys: 5,
      }),
    ),
  })).value;
  const asEvent = (given: unknown) => {
    for (const event of eventsOf(given)) {
      expect(typeof event.sender.id).toBe('string');
      expect(event.sender.id).toMatch(/^(?:\d{7,15}|[A-Z]{2}\..+|\d+@lid)$/);
      expect(JSON.parse(JSON.stringify(event))).toEqual(event);
    }
  };

  it('never throw', () => {
    fc.assert(fc.property(json, asEvent), runs(1000));
  });

  it('never throw in the place of a message', () => {
    fc.assert(
      fc.property(fc.record({}, { requiredKeys: [] }), json, json, (empty, message, contacts) =>
        asEvent(payload([{ ...empty, ...(message as object) }], { contacts })),
      ),
      runs(500),
    );
  });

  it('never throw in the parts of a message', () => {
    const part = fc.constantFrom(
      'text',
      'image',
      'interactive',
      'context',
      'location',
      'contacts',
      'from',
      'group_id',
    );
    fc.assert(
      fc.property(part, json, (name, value) => asEvent(payload([{ ...base, type: name, [name]: value }]))),
      runs(1000),
    );
  });
});
