import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../../test/property.ts';
import { parseUpdate } from './parse.ts';

const account = { id: 7, username: 'Hermes_Bot' };
const person = { id: 42, is_bot: false, first_name: 'Ada', last_name: 'L' };
const privateChat = { id: 42, type: 'private' };
const group = { id: -100, type: 'supergroup' };

const message = (parts: object): unknown => ({
  update_id: 1,
  message: { message_id: 5, date: 0, from: person, chat: privateChat, ...parts },
});
const parse = (parts: object) => parseUpdate(message(parts), account);
const mark = (text: string, type: string, at = 0) => ({ type, offset: at, length: text.length });

describe('a message', () => {
  it('has ids as text, the name of the sender and what was said', () => {
    expect(parse({ text: 'hello' })).toEqual({
      kind: 'message',
      id: '5',
      chat: { id: '42', kind: 'private' },
      sender: { id: '42', name: 'Ada L' },
      text: 'hello',
      files: [],
      isAddressed: true,
    });
  });

  it.each([
    ['a bot', { from: { ...person, is_bot: true } }],
    ['ourselves', { from: { ...person, id: account.id } }],
    ['an anonymous administrator', { chat: group, sender_chat: { id: -100 } }],
    [
      'a channel that was forwarded',
      { from: { ...person, id: 777000 }, chat: group, sender_chat: { id: -9 } },
    ],
    ['a bot on behalf of a person', { via_bot: { id: 8 } }],
    ['nobody', { from: undefined }],
    ['a channel', { chat: { id: -1, type: 'channel' } }],
  ])('of %s is none', (_, parts) => {
    expect(parse({ text: 'hello', ...parts })).toBeUndefined();
  });

  it('that was edited, or says nothing, is none', () => {
    const said = { message_id: 5, from: person, chat: privateChat, text: 'later' };
    expect(parseUpdate({ update_id: 2, edited_message: said }, account)).toBeUndefined();
    expect(parse({ new_chat_members: [person] })).toBeUndefined();
  });

  it('belongs to a topic only in a forum', () => {
    const topic = { chat: group, text: 'x', message_thread_id: 3 };
    expect(parse({ ...topic, is_topic_message: true })?.chat).toEqual({
      id: '-100',
      kind: 'group',
      thread: '3',
    });
    expect(parse(topic)?.chat).toEqual({ id: '-100', kind: 'group' });
  });
});

describe('in a group a message is for us', () => {
  const own = { from: { id: 7, is_bot: true } };
  const cases: readonly (readonly [string, object, boolean])[] = [
    ['without a sign of it', { text: 'hello' }, false],
    ['with our name', { text: '@hermes_bot hi', entities: [mark('@hermes_bot', 'mention')] }, true],
    [
      'with our name in a caption',
      {
        caption: 'x @hermes_bot',
        photo: [{ file_id: 'f' }],
        caption_entities: [mark('@hermes_bot', 'mention', 2)],
      },
      true,
    ],
    ['with another name', { text: '@hermes_bot2 hi', entities: [mark('@hermes_bot2', 'mention')] }, false],
    ['with our name as plain text only', { text: '@hermes_bot hi' }, false],
    [
      'when we are mentioned without a user name',
      { text: 'Hermes', entities: [{ ...mark('Hermes', 'text_mention'), user: { id: 7 } }] },
      true,
    ],
    ['as a reply to us', { text: 'yes', reply_to_message: own }, true],
    ['as a reply to somebody', { text: 'yes', reply_to_message: { from: person } }, false],
    [
      'in a topic that we opened',
      { text: 'yes', reply_to_message: { ...own, forum_topic_created: {} } },
      false,
    ],
    [
      'as a command with our name',
      { text: '/stop@Hermes_Bot', entities: [mark('/stop@Hermes_Bot', 'bot_command')] },
      true,
    ],
    ['as a command of nobody', { text: '/stop', entities: [mark('/stop', 'bot_command')] }, false],
    [
      'as a command of another bot in a reply to us',
      { text: '/stop@other', entities: [mark('/stop@other', 'bot_command')], reply_to_message: own },
      false,
    ],
  ];
  it.each(cases)('%s', (_, parts, expected) => {
    expect(parse({ chat: group, ...parts })).toMatchObject({ isAddressed: expected });
  });
});

describe('the text', () => {
  it.each([
    ['@hermes_bot: do it', 'mention', '@hermes_bot', 'do it'],
    ['@hermes_bot', 'mention', '@hermes_bot', '@hermes_bot'],
    ['/get@Hermes_Bot a.txt', 'bot_command', '/get@Hermes_Bot', '/get a.txt'],
    ['@other do it', 'mention', '@other', '@other do it'],
  ])('%s is %s', (text, type, marked, expected) => {
    expect(parse({ text, entities: [mark(marked, type)] })).toMatchObject({ text: expected });
  });

  it('says what was sent that is neither text nor file', () => {
    expect(parse({ sticker: { emoji: '👍' } })).toMatchObject({ text: '👍' });
    expect(parse({ location: { latitude: 1.5, longitude: 2 } })).toMatchObject({ text: 'Location: 1.5, 2' });
  });
});

describe('files', () => {
  it.each([
    [
      { document: { file_id: 'd', file_name: 'a.pdf', file_size: 9 } },
      { name: 'a.pdf', size: 9, ref: { fileId: 'd' } },
    ],
    [
      { photo: [{ file_id: 's' }, { file_id: 'l', file_size: 3 }] },
      { name: 'photo-5.jpg', size: 3, ref: { fileId: 'l' } },
    ],
    [{ voice: { file_id: 'v' } }, { name: 'voice-5.ogg', ref: { fileId: 'v' } }],
    [
      { animation: { file_id: 'a' }, document: { file_id: 'a', file_name: 'a.mp4' } },
      { name: 'a.mp4', ref: { fileId: 'a' } },
    ],
  ])('%j', (parts, file) => {
    expect(parse({ ...parts, caption: 'look' })).toMatchObject({ text: 'look', files: [file] });
  });
});

describe('a press', () => {
  const press = (parts: object): unknown => ({
    update_id: 1,
    callback_query: {
      id: '99',
      from: person,
      data: 'yes',
      message: { message_id: 6, chat: group, date: 0 },
      ...parts,
    },
  });

  it('has the data and the message of the button', () => {
    expect(parseUpdate(press({}), account)).toEqual({
      kind: 'button',
      id: '99',
      chat: { id: '-100', kind: 'group' },
      sender: { id: '42', name: 'Ada L' },
      data: 'yes',
      messageId: '6',
    });
  });

  it.each([{ message: undefined }, { data: undefined }, { from: { ...person, is_bot: true } }])(
    '%j is none',
    parts => {
      expect(parseUpdate(press(parts), account)).toBeUndefined();
    },
  );
});

describe('malformed updates', () => {
  it('are no events and never throw', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double());
    const keys =
      'message_id from chat id type text entities offset length document photo file_id is_bot data valueOf toString'.split(
        ' ',
      );
    const { value } = fc.letrec<{ value: unknown }>(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 6 }),
      ),
    }));
    const update = fc.oneof(
      value,
      fc.record({ update_id: fc.integer(), message: value }),
      fc.record({ update_id: fc.integer(), callback_query: value }),
      value.map(parts => message(typeof parts === 'object' && parts !== null ? parts : {})),
    );
    fc.assert(
      fc.property(update, each => {
        const event = parseUpdate(each, account);
        if (event?.kind === 'message') expect(typeof event.text).toBe('string');
      }),
      runs(500),
    );
  });
});

describe('a forwarded message', () => {
  const forwarded = (origin: Readonly<Record<string, unknown>>) =>
    parseUpdate({ update_id: 1, message: { ...plain, ...origin } }, account);
  const plain = {
    ...{ message_id: 5, date: 1, text: '/stop', from: { id: 9, is_bot: false, first_name: 'Ann' } },
    chat: { id: 9, type: 'private' },
  };

  it.each([
    [
      { forward_origin: { type: 'user', sender_user: { id: 4, first_name: 'Eve', last_name: 'L' } } },
      'Eve L',
    ],
    [{ forward_origin: { type: 'hidden_user', sender_user_name: 'Hidden' } }, 'Hidden'],
    [{ forward_origin: { type: 'chat', sender_chat: { id: -1, title: 'Group' } } }, 'Group'],
    [{ forward_origin: { type: 'channel', chat: { id: -2, title: 'News' } } }, 'News'],
    [{ forward_origin: { type: 'of the future' } }, 'somebody else'],
    [{ forward_origin: 7 }, 'somebody else'],
    // As servers of their own say it that are older.
    [{ forward_date: 1, forward_sender_name: 'Old' }, 'Old'],
    [{ forward_from: { id: 4, first_name: 'Eve' } }, 'Eve'],
  ])('says who wrote it: %j', (origin, name) => {
    expect(forwarded(origin)).toMatchObject({ text: '/stop', forwardedFrom: name });
  });

  it('is none without an origin', () => {
    expect(forwarded({})).not.toHaveProperty('forwardedFrom');
  });
});
