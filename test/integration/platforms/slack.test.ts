// What is Slack's own on the way out: its answers, its limits, its files, its signs and its tokens. What all platforms do
// alike is proved by test/conformance-platforms.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { HermesError } from '../../../src/base/errors.ts';
import type { Chat, PlatformEvent } from '../../../src/platforms/platform.ts';
import { SlackDouble } from '../../doubles/slack-server.ts';
import { connectSlack, type SlackLine, slackPlatform } from './slack-line.ts';

const ADA = { id: 'U42', name: 'Ada' };
const chat: Chat = { id: ADA.id, kind: 'private' };
const DIRECT = 'D42';
const MIB = 1024 * 1024;

interface Manifest {
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } };
  readonly settings: {
    readonly socket_mode_enabled: boolean;
    readonly interactivity: { readonly is_enabled: boolean };
    readonly event_subscriptions: { readonly bot_events: readonly string[] };
  };
}

let slack: SlackDouble;
let line: SlackLine;

const failure = (work: Promise<unknown>): Promise<HermesError> =>
  work.then(
    value => Promise.reject(new Error(`gave ${JSON.stringify(value)}`)),
    (error: HermesError) => error,
  );
const prose = (length: number): string => {
  let text = '';
  for (let at = 0; text.length < length; at++) text += `Word${at} and more.${at % 20 === 0 ? '\n\n' : ' '}`;
  return text.trim();
};
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const methods = (): string[] => slack.calls.map(({ method }) => method);

beforeEach(async () => {
  slack = await SlackDouble.start();
  line = await connectSlack(slack);
});
afterEach(async () => {
  await line.connection.close();
  await slack.close();
});

describe('sending', () => {
  it('fetches no preview of addresses in an answer, and calls nobody', async () => {
    await line.connection.send(chat, { text: 'see https://example.org/?q=secret <!channel> <@U1> @here' });
    const { params } = await slack.whenCalled('chat.postMessage');
    expect(params).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false', channel: DIRECT });
    expect(slack.sent[0]?.pings).toEqual([]);
    expect(params['text']).not.toContain('<!');
  });

  it('is not led to another server, which would hear what is said', async () => {
    const other = await SlackDouble.start();
    slack.fault('chat.postMessage', { redirectTo: other.origin }, { times: 9 });
    const error = await failure(line.connection.send(chat, { text: 'between us' }));
    expect(error.code).toBe('UNAVAILABLE_PLATFORM');
    expect(other.calls).toEqual([]);
    await other.close();
  });

  it('opens a private chat once with somebody who never wrote', async () => {
    await line.connection.send(chat, { text: 'one' });
    await line.connection.send(chat, { text: 'two' });
    expect(methods().filter(method => method === 'conversations.open')).toHaveLength(1);
    expect(slack.sent.map(({ channel }) => channel)).toEqual([DIRECT, DIRECT]);
  });

  it('lets an answer grow beyond what Slack takes in a change, and touches what has changed only', async () => {
    const { ids } = await line.connection.send(chat, { text: 'working …' });
    const id = ids[0] ?? '';
    for (const length of [3000, 12_000, 25_000, 25_100]) {
      await line.connection.edit?.(chat, id, { text: prose(length) });
      expect(wordsOf(slack.sent.map(({ text }) => text).join('\n'))).toEqual(wordsOf(prose(length)));
    }
    expect(slack.sent.map(each => each.versions.length)).toEqual([3, 2, 1, 2]);
    await line.connection.edit?.(chat, id, { text: 'short after all' });
    expect(slack.sent.map(({ text }) => text)).toEqual(['short after all']);
  });

  it('goes on with such an answer where a try failed', async () => {
    const { ids } = await line.connection.send(chat, { text: 'working …' });
    slack.fault('chat.postMessage', 'drop');
    const edit = (): Promise<void> | undefined =>
      line.connection.edit?.(chat, ids[0] ?? '', { text: prose(20_000) });
    expect((await failure(Promise.resolve(edit()))).code).toBe('UNAVAILABLE_PLATFORM');
    await edit();
    expect(wordsOf(slack.sent.map(({ text }) => text).join('\n'))).toEqual(wordsOf(prose(20_000)));
  });

  it('changes a long card with buttons in place', async () => {
    const buttons = [[{ label: 'Yes', data: 'y' }]];
    const { ids } = await line.connection.send(chat, { text: prose(20_000), buttons });
    expect(slack.sent.at(-1)).toMatchObject({ id: ids[0], buttons: [{ data: 'y' }] });
    await line.connection.edit?.(chat, ids[0] ?? '', { text: `${prose(20_000)}\n\nApproved.` });
    expect(slack.sent.flatMap(each => each.buttons)).toEqual([]);
    expect(wordsOf(slack.sent.map(({ text }) => text).join('\n'))).toEqual([
      ...wordsOf(prose(20_000)),
      'Approved',
    ]);
  });

  it.each([
    ['drop', true],
    ['drop-after', true],
    ['bad-gateway', true],
    ['page', true],
    ['server-error', false],
    ['hang', true],
    [{ error: 'fatal_error' }, true],
    [{ error: 'service_unavailable' }, false],
  ] as const)('after %j says whether the message may have arrived: %s', async (fault, mayBeDelivered) => {
    slack.fault('chat.postMessage', fault);
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { mayBeDelivered } });
    expect(slack.sent).toHaveLength(fault === 'drop-after' ? 1 : 0);
  });

  it('says that nothing arrived where nothing answers', async () => {
    const other = await SlackDouble.start();
    const alone = await connectSlack(other);
    await other.close();
    const error = await failure(alone.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { mayBeDelivered: false } });
    await alone.connection.close();
  });

  it('leaves a limit of more than a minute to the caller, and holds up nobody else', async () => {
    slack.fault('chat.postMessage', { retryAfterSeconds: 900 });
    const error = await failure(line.connection.send(chat, { text: 'x' }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { retryAfterMs: 900_000 } });
    await line.connection.send({ id: 'U43', kind: 'private' }, { text: 'others are not held up' });
  });

  it('keeps the parts of two long answers to one chat apart', async () => {
    const answers = ['a', 'b'].map(letter => `${letter} `.repeat(50_000).trim());
    await Promise.all(answers.map(text => line.connection.send(chat, { text })));
    expect(slack.sent.map(({ text }) => text[0]).join('')).toBe('aaabbb');
  });

  it('names the scope that a call would need', async () => {
    slack.fault('files.getUploadURLExternal', { error: 'missing_scope', needed: 'files:write' });
    const error = await failure(line.connection.sendFile(chat, { name: 'a', bytes: Buffer.from('a') }));
    expect(error).toMatchObject({ code: 'USAGE_NOT_DELIVERED', details: { needed: 'files:write' } });
    expect(error.message).toContain('OAuth & Permissions');
  });
});

describe('files to people', () => {
  it('go to Slack without a token, into the thread', async () => {
    const thread = '1690000000.000001';
    await line.connection.sendFile(
      { id: 'C7', kind: 'group', thread },
      { name: 'a.txt', bytes: Buffer.from('x') },
    );
    expect(slack.sent).toMatchObject([{ channel: 'C7', thread, file: { name: 'a.txt' } }]);
    expect(slack.calls.find(({ method }) => method === 'upload')).toMatchObject({ hasToken: false });
  });

  it('are not sent to anybody else’s address', async () => {
    const other = await SlackDouble.start();
    slack.workspace.uploadOrigin = other.origin;
    const error = await failure(line.connection.sendFile(chat, { name: 'a', bytes: Buffer.from('a') }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM' });
    expect(other.calls).toEqual([]);
    await other.close();
  });

  it('come with a caption that is too long as a text of its own', async () => {
    const caption = prose(4000);
    const { ids } = await line.connection.sendFile(chat, { name: 'a', bytes: Buffer.from('a'), caption });
    expect(slack.sent.map(({ id, file }) => [id, file?.name])).toEqual([
      [ids[0], 'a'],
      [ids[1], undefined],
    ]);
    expect(wordsOf(slack.sent[1]?.text ?? '')).toEqual(wordsOf(caption));
  });

  it('are refused when there is nothing in them', async () => {
    const error = await failure(line.connection.sendFile(chat, { name: 'a', bytes: Buffer.alloc(0) }));
    expect(error).toMatchObject({ code: 'USAGE_NOT_DELIVERED' });
  });

  it('have shown nobody anything when their bytes did not arrive', async () => {
    slack.fault('upload', 'drop');
    const error = await failure(line.connection.sendFile(chat, { name: 'a', bytes: Buffer.from('a') }));
    expect(error).toMatchObject({ code: 'UNAVAILABLE_PLATFORM', details: { mayBeDelivered: false } });
  });
});

describe('files of people', () => {
  const refOf = (event: PlatformEvent): unknown =>
    event.kind === 'message' ? event.files[0]?.ref : undefined;

  it('are not read further than the limit', async () => {
    slack.say(ADA, 'big', { file: { name: 'big.bin', bytes: Buffer.alloc(50 * MIB + 1) } });
    const event = await line.message('big');
    expect(event).toMatchObject({ files: [{ name: 'big.bin', size: 50 * MIB + 1 }] });
    const error = await failure(line.connection.fetchFile(refOf(event)));
    expect(error).toMatchObject({ code: 'USAGE_NOT_DELIVERED', message: expect.stringContaining('50 MB') });
  });

  it('are asked for again when the server fails', async () => {
    slack.say(ADA, 'x', { file: { name: 'a.txt', bytes: Buffer.from('words') } });
    const event = await line.message('x');
    slack.fault('files.info', 'server-error');
    slack.fault('file', 'drop');
    expect(Buffer.from(await line.connection.fetchFile(refOf(event))).toString()).toBe('words');
  });

  it('that are gone are gone', async () => {
    slack.say(ADA, 'x', { file: { name: 'a.txt', bytes: Buffer.from('words') } });
    const event = await line.message('x');
    const ref = refOf(event) as { fileId: string }; // as the adapter makes it
    slack.workspace.forget(ref.fileId);
    expect(await failure(line.connection.fetchFile(ref))).toMatchObject({ code: 'USAGE_NOT_DELIVERED' });
  });

  it.each(['external', 'redirected'])(
    'are not fetched from another server (%s), which gets no token',
    async how => {
      const other = await SlackDouble.start();
      const url = how === 'external' ? { url: `${other.origin}/files-pri/T1-F1/a` } : {};
      slack.say(ADA, 'x', { file: { name: 'a.txt', bytes: Buffer.from('x'), ...url } });
      const event = await line.message('x');
      slack.fault('file', { redirectTo: other.origin }, { times: 9 });
      const error = await failure(line.connection.fetchFile(refOf(event)));
      expect(error.code).toBe('USAGE_NOT_DELIVERED');
      expect(inspect(error, { depth: 9 })).not.toContain(slack.botToken);
      expect(other.calls).toEqual([]);
      await other.close();
    },
  );
});

describe('that somebody is working', () => {
  it('is a reaction on what was said, and goes when nobody says so any more', async () => {
    const ts = slack.say(ADA, 'work');
    await line.message('work');
    await line.connection.typing?.(chat);
    await line.connection.typing?.(chat);
    const key = `${DIRECT} ${ts} hourglass_flowing_sand`;
    expect([...slack.workspace.reactions]).toEqual([key]);
    await slack.whenCalled('reactions.remove');
    await slack.when(() => slack.workspace.reactions.size === 0 || undefined, {
      missing: () => `reactions are left: ${[...slack.workspace.reactions].join(', ')}`,
    });
    expect(methods().filter(method => method === 'reactions.add')).toHaveLength(1);
  });

  it('is the status where Slack shows assistants, and a reaction where it does not let us', async () => {
    const thread = '1690000000.000001';
    const place = { channel: DIRECT, kind: 'im', thread } as const;
    slack.event({
      type: 'assistant_thread_started',
      assistant_thread: {
        user_id: ADA.id,
        channel_id: DIRECT,
        thread_ts: thread,
        context: { channel_id: 'C7', team_id: 'T1' },
      },
      event_ts: thread,
    });
    slack.event({
      type: 'assistant_thread_context_changed',
      assistant_thread: {
        user_id: ADA.id,
        channel_id: DIRECT,
        thread_ts: thread,
        context: { channel_id: 'C8' },
      },
    });
    slack.say(ADA, 'work', { place });
    const { chat: here } = await line.message('work');
    expect(here).toEqual({ ...chat, thread });
    await line.connection.typing?.(here);
    expect([...slack.workspace.statuses]).toEqual([[`${DIRECT} ${thread}`, 'is working…']]);
    await slack.whenCalled('assistant.threads.setStatus', ({ params }) => params['status'] === '');
    slack.fault('assistant.threads.setStatus', { error: 'channel_not_found' });
    await line.connection.typing?.(here);
    expect(slack.workspace.reactions.size).toBe(1);
    expect(slack.sockets.unacknowledged).toBe(0);
  });

  it('is taken away when the connection is closed', async () => {
    slack.say(ADA, 'work');
    await line.message('work');
    await line.connection.typing?.(chat);
    await line.connection.close();
    expect(slack.workspace.reactions.size).toBe(0);
  });

  it('is shown nowhere when nothing was said', async () => {
    await line.connection.typing?.({ id: 'C7', kind: 'group' });
    expect(slack.workspace.reactions.size).toBe(0);
  });
});

describe('tokens', () => {
  const { apiRoot } = { apiRoot: 'http://127.0.0.1:9/api' };

  it.each([
    ['swapped ones', { botToken: 'xapp-1-a', appToken: 'xoxb-1-a' }, /swapped/],
    ['one of a person', { botToken: 'xoxp-1-a', appToken: 'xapp-1-a' }, /bot token.*xoxb-/],
    ['nonsense', { botToken: 'xoxb-1-a', appToken: 'xapp-1 a\n' }, /app-level token.*xapp-/],
  ])('%s are refused without a call', async (_, tokens, words) => {
    const error = await failure(connectSlack({ apiRoot, ...tokens }));
    expect(error.code).toBe('AUTH_PLATFORM_TOKEN');
    expect(error.message).toMatch(words);
  });

  it.each(['botToken', 'appToken'] as const)('must be two: %s alone does not do', async given => {
    const one = { apiRoot, botToken: '', appToken: '', [given]: 'x' };
    const error = await failure(slackPlatform(one));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain(given === 'botToken' ? 'slack.app_token' : 'slack.bot_token');
    expect((await failure(slackPlatform({ ...one, [given]: '' }))).message).toContain('there is none');
  });

  it('are told apart when one is refused', async () => {
    const bot = await failure(connectSlack({ ...slackAddress(), botToken: 'xoxb-other' }));
    const app = await failure(connectSlack({ ...slackAddress(), appToken: 'xapp-other' }));
    expect([bot, app]).toMatchObject([
      { code: 'AUTH_PLATFORM_TOKEN', details: { token: 'bot' } },
      { code: 'AUTH_PLATFORM_TOKEN', details: { token: 'app' } },
    ]);
    slack.fault('apps.connections.open', { error: 'missing_scope', needed: 'connections:write' });
    const scope = await failure(connectSlack(slackAddress()));
    expect(scope).toMatchObject({ code: 'AUTH_PLATFORM_TOKEN', details: { token: 'app' } });
    expect(scope.message).toContain('connections:write');
  });

  const slackAddress = () => ({ apiRoot: slack.apiRoot, botToken: slack.botToken, appToken: slack.appToken });

  it('without needed scopes are refused, with all that are missing', async () => {
    slack.scopes = ['chat:write', 'im:write', 'users:read'];
    const error = await failure(connectSlack(slack));
    expect(error.code).toBe('AUTH_PLATFORM_TOKEN');
    for (const scope of ['im:history', 'files:read', 'commands', 'reactions:write'])
      expect(error.message).toContain(scope);
    expect(error.message).not.toContain('users:read');
  });

  it('without useful scopes work, and what is missing is said', async () => {
    slack.scopes = (slack.scopes ?? []).filter(scope => !scope.startsWith('files:'));
    const opened = slack.sockets.opened;
    const platform = await slackPlatform(slack);
    expect(await platform.check?.()).toBe(
      'as @hermes in Acme, without files of people (files:read), files to people (files:write)',
    );
    expect(slack.sockets.opened).toBe(opened);
    const other = await connectSlack(slack);
    expect(other.connection.account).toBe('connected as @hermes in Acme');
    expect(other.log.join('')).toContain('files:read');
    await other.connection.close();
  });

  it('of an app that is made from the manifest of the page lack nothing', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/platforms/slack.md'), 'utf8');
    const manifest = parse(/```yml\n([\s\S]*?)```/.exec(page)?.[1]?.replace(/^ {3}/gm, '') ?? '') as Manifest; // ours
    const { oauth_config, settings } = manifest;
    slack.scopes = oauth_config.scopes.bot;
    expect(await (await slackPlatform(slack)).check?.()).toBe('as @hermes in Acme');
    expect(settings.socket_mode_enabled && settings.interactivity.is_enabled).toBe(true);
    const events = ['app_mention', 'message.channels', 'message.groups', 'message.im', 'message.mpim'];
    expect(settings.event_subscriptions.bot_events).toEqual(events);
  });

  it('that are revoked while the socket stays end the connection for good', async () => {
    slack.fault('chat.postMessage', { error: 'token_revoked' });
    expect((await failure(line.connection.send(chat, { text: 'x' }))).code).toBe('AUTH_PLATFORM_TOKEN');
    expect(await line.state('failed')).toMatchObject({ code: 'AUTH_PLATFORM_TOKEN' });
  });
});
