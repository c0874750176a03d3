import { describe, expect, it } from 'vitest';
import {
  directOf,
  editEvent,
  eventCallback,
  mentionEvent,
  messageEvent,
  pressPayload,
  slashPayload,
} from '../../../test/doubles/slack-payloads.ts';
import { fc, runs } from '../../../test/property.ts';
import { type ParseOptions, parseEnvelope, pressPlace } from './parse.ts';

const account = { userId: 'U0BOT', userName: 'hermes' };
const options: ParseOptions = {
  account,
  replies: 'in-channel',
  commands: new Set(['stop', 'claim', 'help']),
};
const ada = { id: 'U42', name: 'Ada' };
const channel = { channel: 'C7', kind: 'channel' } as const;
const said = { ts: '1700000000.000005', text: 'hello' };
const direct = messageEvent(ada, directOf(ada), said);
const inChannel = messageEvent(ada, channel, said);

const parse = (event: object, more: Partial<ParseOptions> = {}) =>
  parseEnvelope('events_api', eventCallback(event, 'Ev1'), { ...options, ...more })?.event;

describe('a message', () => {
  it('has a private chat that is known by its person', () => {
    expect(parse(direct)).toEqual({
      kind: 'message',
      id: '1700000000.000005',
      chat: { id: 'U42', kind: 'private' },
      sender: { id: 'U42', name: 'U42' },
      text: 'hello',
      files: [],
      isAddressed: true,
    });
  });

  it.each([
    ['a bot', { subtype: 'bot_message', bot_id: 'B1' }],
    ['an app that speaks as a person', { bot_id: 'B1' }],
    ['ourselves', { user: 'U0BOT' }],
    ['Slackbot', { user: 'USLACKBOT' }],
    ['nobody', { user: undefined }],
    ['Slack, about somebody who joined', { subtype: 'channel_join' }],
    ['somebody who deleted one', { subtype: 'message_deleted' }],
    ['nobody to see', { hidden: true }],
  ])('of %s is none', (_, parts) => {
    expect(parse({ ...direct, ...parts })).toBeUndefined();
  });

  it('that was edited, or says nothing, is none', () => {
    expect(parse(editEvent(direct, 'changed', '1700000000.000009'))).toBeUndefined();
    expect(parse({ ...direct, text: '' })).toBeUndefined();
  });

  it('belongs to a thread, and what opened one does not', () => {
    const thread = '1700000000.000001';
    expect(parse({ ...inChannel, thread_ts: thread })?.chat).toEqual({ id: 'C7', kind: 'group', thread });
    expect(parse({ ...direct, thread_ts: thread })?.chat).toEqual({ id: 'U42', kind: 'private', thread });
    expect(parse({ ...inChannel, thread_ts: said.ts })?.chat).toEqual({ id: 'C7', kind: 'group' });
  });

  it('opens a thread where the operator wants that', () => {
    expect(parse(inChannel, { replies: 'in-thread' })?.chat).toEqual({
      id: 'C7',
      kind: 'group',
      thread: said.ts,
    });
    expect(parse(direct, { replies: 'in-thread' })?.chat).toEqual({ id: 'U42', kind: 'private' });
  });

  it('is the same one as the mention that comes beside it', () => {
    const message = messageEvent(ada, channel, { ...said, text: '<@U0BOT> hello' });
    expect(parse(mentionEvent(message))).toEqual(parse(message));
  });
});

describe('in a channel a message is for us', () => {
  it.each([
    ['without a sign of it', { text: 'hello' }, false],
    ['with our name', { text: 'look, <@U0BOT>' }, true],
    ['with our name and its label', { text: '<@U0BOT|hermes> hi' }, true],
    ['with another name', { text: '<@U0BOT2> hi' }, false],
    ['with our name as plain text only', { text: '@hermes hi &lt;@U0BOT&gt;' }, false],
    ['as a reply in a thread of ours', { thread_ts: '1.1', parent_user_id: 'U0BOT' }, true],
    ['as a reply in a thread of somebody', { thread_ts: '1.1', parent_user_id: 'U42' }, false],
  ])('%s', (_, parts, expected) => {
    expect(parse({ ...inChannel, ...parts })).toMatchObject({ isAddressed: expected });
  });
});

describe('the text', () => {
  it.each([
    ['<@U0BOT>: do it', 'do it'],
    ['<@U0BOT>', '@hermes'],
    ['<@U7> and <@U8|bob> in <#C1|general>', '@U7 and @bob in #general'],
    [
      '<https://x.org/?a=1&amp;b=2> <https://x.org|site> <http://x.org|x.org>',
      'https://x.org/?a=1&b=2 site (https://x.org) http://x.org',
    ],
    ['<mailto:a@x.org|a@x.org>', 'a@x.org'],
    ['<!here> <!subteam^S1|@team>', '@here @team'],
    ['a &lt; b &amp;&amp; c &gt; d &amp;lt;', 'a < b && c > d &lt;'],
    [' /stop', ' /stop'],
  ])('%s is %s', (text, expected) => {
    expect(parse({ ...direct, text })).toMatchObject({ text: expected });
  });

  it('that is passed on is somebody else’s', () => {
    const attachments = [{ is_share: true, author_name: 'Eve', text: '/stop &amp; go' }];
    expect(parse({ ...direct, text: '', attachments })).toMatchObject({
      text: '/stop & go',
      forwardedFrom: 'Eve',
    });
    const commented = parse({ ...direct, text: 'what is this?', attachments });
    expect(commented).toMatchObject({ text: 'what is this?\n\nPassed on from "Eve":\n> /stop & go' });
    expect(commented).not.toHaveProperty('forwardedFrom');
    expect(parse({ ...direct, attachments: [{ text: 'an unfurled page' }] })).toMatchObject({
      text: 'hello',
    });
  });
});

describe('files', () => {
  it('are known by their ids, and have a name whatever Slack says', () => {
    const files = [
      { id: 'F1', name: 'a.pdf', size: 9, url_private: 'https://files.slack.com/x' },
      { id: 'F2', name: null, title: 'Note' },
      { id: 'F3' },
      { id: 'F4', mode: 'tombstone' },
      'nonsense',
    ];
    expect(parse({ ...direct, subtype: 'file_share', text: '', files })).toMatchObject({
      text: '',
      files: [
        { name: 'a.pdf', size: 9, ref: { fileId: 'F1' } },
        { name: 'Note', ref: { fileId: 'F2' } },
        { name: 'file-F3', ref: { fileId: 'F3' } },
      ],
    });
  });
});

describe('/hermes', () => {
  const slash = (text: string, place: Parameters<typeof slashPayload>[1] = channel) =>
    parseEnvelope('slash_commands', slashPayload(ada, place, { text, trigger: '1.2.3' }), options)?.event;

  it('is between the person and us wherever it is typed', () => {
    expect(slash('what is new?')).toEqual({
      kind: 'message',
      id: 'slash-1.2.3',
      chat: { id: 'U42', kind: 'private' },
      sender: { id: 'U42', name: 'U42' },
      text: 'what is new?',
      files: [],
      isAddressed: true,
    });
    expect(slash('x', directOf(ada))?.chat).toEqual({ id: 'U42', kind: 'private' });
  });

  it.each([
    ['stop', '/stop'],
    ['Claim AB12', '/Claim AB12'],
    ['/stop', '/stop'],
    ['stopping is hard', 'stopping is hard'],
    ['', '/help'],
    ['  ', '/help'],
  ])('%j is %j', (typed, expected) => {
    expect(slash(typed)).toMatchObject({ text: expected });
  });
});

describe('a press', () => {
  const given = {
    channel: 'C7',
    ts: '1700000000.000006',
    action: { action_id: 'hermes-0-1', value: 'yes' },
    actionTs: '1700000000.5',
    botId: 'B0BOT',
  };
  const press = (parts: object) =>
    parseEnvelope('interactive', { ...pressPayload(ada, given), ...parts }, options)?.event;

  it('has the data and the message of the button, and an id that says where it was', () => {
    const event = press({});
    expect(event).toMatchObject({
      kind: 'button',
      chat: { id: 'C7', kind: 'group' },
      sender: { id: 'U42' },
      data: 'yes',
      messageId: given.ts,
    });
    expect(pressPlace(event?.id ?? '')).toEqual({ channel: 'C7', user: 'U42' });
    expect(press({})?.id).toBe(event?.id);
  });

  it('in a thread is answered there', () => {
    const payload = pressPayload(ada, { ...given, channel: 'D42', thread: '1700000000.000001' });
    const event = parseEnvelope('interactive', payload, options)?.event;
    expect(event?.chat).toEqual({ id: 'U42', kind: 'private', thread: '1700000000.000001' });
    expect(pressPlace(event?.id ?? '')).toEqual({ channel: 'D42', user: 'U42', thread: '1700000000.000001' });
  });

  it.each([
    { type: 'view_submission' },
    { message: undefined },
    { actions: [] },
    { actions: [{ type: 'button', action_id: 'of-another', action_ts: '1.1', value: 'x' }] },
    { actions: [{ type: 'static_select', action_id: 'hermes-0-0', action_ts: '1.1' }] },
  ])('%j is none', parts => {
    expect(press(parts)).toBeUndefined();
  });
});

describe('malformed payloads', () => {
  it('are no events and never throw', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double());
    const keys =
      'type subtype event channel user text ts thread_ts files id name attachments is_share actions value message valueOf toString'.split(
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
    const part = value.map(each => (typeof each === 'object' && each !== null ? each : {}));
    const payload = fc.oneof(
      value,
      part.map(parts => ({ event: { ...inChannel, ...parts } })),
      part.map(parts => ({ ...slashPayload(ada, channel, { text: 'x', trigger: '1' }), ...parts })),
    );
    fc.assert(
      fc.property(fc.constantFrom('events_api', 'slash_commands', 'interactive'), payload, (type, each) => {
        const event = parseEnvelope(type, each, options)?.event;
        if (event?.kind === 'message') expect(typeof event.text).toBe('string');
      }),
      runs(500),
    );
  });
});
