import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../../test/property.ts';
import type { PlatformEvent } from '../platform.ts';
import {
  CHANNEL,
  type ParseOptions,
  PRIVATE,
  parseInteraction,
  parseMessage,
  placeIn,
  placeOf,
} from './parse.ts';
import { interactionShape, messageShape } from './payload.ts';

const account = { id: '700000000000000001', username: 'hermes' };
const options: ParseOptions = { account, place: PRIVATE, freeChannels: [], threads: 'as-they-are' };
/** Payloads as Discord's documentation has them. */
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/discord/events.json'), 'utf8'),
) as Record<string, { t: string; d: { guild_id?: string } }>; // our own file

function parse(name: string, given: Partial<ParseOptions> = {}): PlatformEvent | undefined {
  const { t, d } = recorded[name] ?? { t: '', d: {} };
  if (t === 'INTERACTION_CREATE') return parseInteraction(interactionShape.parse(d), account);
  const place = d.guild_id === undefined ? PRIVATE : CHANNEL;
  return parseMessage(messageShape.parse(d), { ...options, place, ...given });
}

const message = (parts: object, given: Partial<ParseOptions> = {}) => {
  const author = { id: '42', username: 'ada', global_name: 'Ada' };
  const whole = {
    id: '5',
    channel_id: '9',
    guild_id: '3',
    channel_type: 0,
    content: 'hello',
    author,
    ...parts,
  };
  const event = parseMessage(messageShape.parse(whole), { ...options, place: CHANNEL, ...given });
  if (event?.kind !== 'message') throw new Error('no message');
  return event;
};

describe('a message', () => {
  it('has its ids, the name that people see, and what was said', () => {
    expect(parse('a private message')).toEqual({
      kind: 'message',
      id: '1300000000000000001',
      chat: { id: '1200000000000000001', kind: 'private' },
      sender: { id: '420000000000004201', name: 'Ada L' },
      text: 'hello',
      files: [],
      isAddressed: true,
    });
  });

  it('has its files, and not the mention that it begins with', () => {
    expect(parse('a mention in a channel with a file')).toMatchObject({
      text: 'what is in it?',
      chat: { id: '900000000000000001', kind: 'group' },
      files: [{ name: 'data.csv', size: 1234, ref: { fileId: '1300000000000000100' } }],
      isAddressed: true,
    });
  });

  it('is for the bot when it replies to it', () => {
    expect(parse('a reply to the bot')).toMatchObject({ text: 'And why?', isAddressed: true });
  });

  it('is somebody else’s when it is passed on, with its files', () => {
    expect(parse('a message that is passed on')).toMatchObject({
      sender: { name: 'ada' },
      text: '/stop everything',
      forwardedFrom: 'somebody else',
      files: [{ name: 'plan.txt' }],
    });
  });

  it('says which sticker it is', () => {
    expect(parse('a sticker')).toMatchObject({ text: 'Sticker: Wave' });
  });

  it.each(['a webhook', 'somebody joins', 'a command in a chat between others'])('%s is none', name => {
    expect(parse(name)).toBeUndefined();
  });

  it.each([{ bot: true }, { id: account.id }])('of a bot or of ourselves is none', part => {
    const author = { id: '42', username: 'x', ...part };
    const whole = messageShape.parse({ id: '5', channel_id: '9', content: 'x', author });
    expect(parseMessage(whole, options)).toBeUndefined();
  });

  it('to everybody, or to a name that only begins like ours, is not for the bot', () => {
    for (const content of ['@everyone', `<@${account.id}0> hi`, 'hermes, hi']) {
      expect(message({ content, mention_everyone: true })).toMatchObject({
        text: content,
        isAddressed: false,
      });
    }
  });

  it('keeps a mention that is all it says', () => {
    const content = `<@${account.id}>`;
    expect(message({ content, mentions: [{ id: account.id }] })).toMatchObject({
      text: content,
      isAddressed: true,
    });
  });
});

describe('where it stands', () => {
  it('a free channel needs no mention, and neither do its threads and those of the bot', () => {
    const freeChannels = ['9'];
    expect(message({}, { freeChannels }).isAddressed).toBe(true);
    expect(message({ channel_id: '10' }, { freeChannels }).isAddressed).toBe(false);
    const thread = { kind: 'thread', parent: '9' } as const;
    expect(message({ channel_id: '10' }, { freeChannels, place: thread }).isAddressed).toBe(true);
    expect(message({ channel_id: '10' }, { place: { ...thread, isOwn: true } }).isAddressed).toBe(true);
  });

  it('a thread belongs to its channel', () => {
    const place = placeOf({ id: '10', type: 12, parent_id: '9', owner_id: account.id }, account);
    expect(message({ channel_id: '10' }, { place }).chat).toEqual({ id: '9', kind: 'group', thread: '10' });
    expect(placeOf({ id: '9', type: 0 }, account)).toEqual(CHANNEL);
  });

  it('a chat of several people is no private one', () => {
    expect([placeIn({ channel_type: 3 }), placeIn({ channel_type: 1 }), placeIn({})]).toEqual([
      CHANNEL,
      PRIVATE,
      PRIVATE,
    ]);
  });

  it('a mention opens a thread where that is wanted, named by its own id', () => {
    const given = { threads: 'per-conversation' } as const;
    const mentions = [{ id: account.id }];
    expect(message({ mentions }, given).chat).toEqual({ id: '9', kind: 'group', thread: '5' });
    // Not what is for others, not where all is free, and not where there are no threads.
    for (const [parts, more] of [
      [{}, {}],
      [{ mentions }, { freeChannels: ['9'] }],
      [{ mentions, channel_type: 2 }, {}],
    ] as const) {
      expect(message(parts, { ...given, ...more }).chat).toEqual({ id: '9', kind: 'group' });
    }
  });
});

describe('an interaction', () => {
  it('with a slash is what somebody would have typed', () => {
    expect(parse('a command in a thread')).toEqual({
      kind: 'message',
      id: '1300000000000000009',
      chat: { id: '900000000000000001', kind: 'group', thread: '900000000000000017' },
      sender: { id: '420000000000004201', name: 'Ada L' },
      text: '/approve k3x9 once',
      files: [],
      isAddressed: true,
    });
  });

  it('of a button is what it carries, and its message', () => {
    expect(parse('a press in private')).toEqual({
      kind: 'button',
      id: '1300000000000000010',
      chat: { id: '1200000000000000001', kind: 'private' },
      sender: { id: '420000000000004201', name: 'Ada L' },
      data: 'a:k3x9:n:o',
      messageId: '1300000000000000011',
    });
  });

  it('from a chat between others is none, also where Discord does not say so', () => {
    const { d } = recorded['a press in private'] ?? { d: {} };
    const { context: _, ...unsaid } = d as Record<string, unknown>; // as the file has it
    const channel = { id: '1200000000000000001', type: 3 };
    for (const parts of [{ context: 2 }, { channel }]) {
      expect(parseInteraction(interactionShape.parse({ ...unsaid, ...parts }), account)).toBeUndefined();
    }
  });
});

it('whatever Discord may send, nothing is thrown', () => {
  const anything = fc.anything({ maxDepth: 4 });
  const near = fc.constantFrom(...Object.values(recorded).map(({ d }) => d));
  const broken = fc.tuple(
    near,
    fc.dictionary(fc.constantFrom('author', 'content', 'channel', 'data', 'id'), anything),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        anything,
        broken.map(([whole, parts]) => ({ ...whole, ...parts })),
      ),
      payload => {
        const said = messageShape.safeParse(payload).data;
        if (said) parseMessage(said, options);
        const pressed = interactionShape.safeParse(payload).data;
        if (pressed) parseInteraction(pressed, account);
      },
    ),
    runs(500),
  );
});
