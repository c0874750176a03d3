// What is Slack's own on the way in: Socket Mode with its envelopes, repeats and new connections, mentions that come twice,
// and commands that are nobody else's business.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SlackDouble } from '../../doubles/slack-server.ts';
import { recordingClock } from '../../fixtures/hasty-clock.ts';
import { type ManualClock, manualClock } from '../../fixtures/manual-clock.ts';
import { fc } from '../../property.ts';
import { within } from '../../wait.ts';
import { connectSlack, type SlackLine } from './slack-line.ts';

const ADA = { id: 'U42', name: 'Ada' };
const BOB = { id: 'U43', name: 'Bob' };
const CHANNEL = { channel: 'C7', kind: 'channel' } as const;

/** Slack's own: it stands still unless a test moves it. */
let clock: ManualClock;
let slack: SlackDouble;
let line: SlackLine;

const textsOf = ({ events }: SlackLine): string[] =>
  events.map(event => (event.kind === 'message' ? event.text : event.data));

beforeEach(async () => {
  clock = manualClock();
  slack = await SlackDouble.start({ clock });
  line = await connectSlack(slack);
});
/** Lets everything be stored that a test held back. */
let works: () => void = () => undefined;
afterEach(async () => {
  works();
  await line.connection.close();
  await slack.close();
});

describe('events', () => {
  it('of one message that mentions us are one, and both are acknowledged', async () => {
    slack.say(ADA, '<@U0BOT> hello', { place: CHANNEL });
    slack.say(ADA, '<@U0BOT> after', { place: CHANNEL });
    await line.message('after');
    await line.connection.pause();
    expect(textsOf(line)).toEqual(['hello', 'after']);
    expect(slack.sockets.unacknowledged).toBe(0);
  });

  it('that Slack sends again while they are stored wait for the first', async () => {
    await line.connection.close();
    const stored = Promise.withResolvers<void>();
    works = stored.resolve;
    const arrived = Promise.withResolvers<void>();
    line = await connectSlack(slack, event => {
      arrived.resolve();
      return event.kind === 'message' && event.text === 'slow' ? stored.promise : Promise.resolve();
    });
    slack.say(ADA, 'slow');
    await within(arrived.promise, 'the event to arrive');
    clock.advance(3000);
    clock.advance(63_000);
    slack.say(BOB, 'quick');
    await line.message('quick');
    await expect.poll(() => JSON.stringify(slack.sockets.waiting)).not.toContain('quick');
    expect(JSON.stringify(slack.sockets.waiting)).toContain('slow');
    works();
    await line.message('slow');
    await line.connection.pause();
    expect(slack.sockets.unacknowledged).toBe(0);
    expect(textsOf(line)).toEqual(['quick', 'slow']);
  });

  it('that nobody can store stay with Slack when there are too many', async () => {
    await line.connection.close();
    const stored = Promise.withResolvers<void>();
    works = stored.resolve;
    line = await connectSlack(slack, () => stored.promise);
    for (let at = 0; at < 5200; at++) slack.say(at % 2 ? ADA : BOB, String(at));
    // Acknowledged at once, so all before it have come.
    slack.event({ type: 'reaction_added', user: ADA.id });
    await expect.poll(() => slack.sockets.unacknowledged).toBe(5200);
    expect(line.log.join('')).toContain('too many events');
    works();
    await expect.poll(() => slack.sockets.unacknowledged).toBe(200);
    clock.advance(3000);
    await line.message('5199');
    await expect.poll(() => textsOf(line)).toHaveLength(5200);
    expect(new Set(textsOf(line)).size).toBe(5200);
  });

  it('that come in another order, or again under a new id, are each one', async () => {
    const [first, second] = ['1700000001.000001', '1700000001.000002'];
    slack.say(ADA, 'second', { event: { ts: second, event_ts: second } });
    slack.say(ADA, 'first', { event: { ts: first, event_ts: first } });
    await line.message('first');
    slack.say(ADA, 'second', { event: { ts: second, event_ts: second } });
    slack.say(ADA, 'last');
    await line.message('last');
    expect(line.events.map(({ id }) => id).slice(0, 2)).toEqual([second, first]);
    expect(textsOf(line)).toEqual(['second', 'first', 'last']);
  });

  it('that were lost on the way come again after later ones, and each once', async () => {
    slack.sockets.drop();
    slack.event({ type: 'app_home_opened', user: ADA.id });
    await slack.when(() => slack.sockets.count > 0 || undefined, { missing: () => 'no new connection' });
    slack.sockets.loseNext = 1;
    slack.say(ADA, 'lost at first');
    slack.say(ADA, 'later');
    await line.message('later');
    clock.advance(3000);
    await line.message('lost at first');
    await line.connection.pause();
    expect(textsOf(line)).toEqual(['later', 'lost at first']);
    expect(slack.sockets.unacknowledged).toBe(0);
  });

  it('that nobody has a use for are acknowledged too', async () => {
    for (const type of [
      'reaction_added',
      'app_home_opened',
      'tokens_revoked',
      'assistant_thread_started',
      'close',
      'error',
    ])
      slack.event({ type, user: ADA.id });
    slack.sockets.push({ type: 'of the future', envelope_id: 'x1', payload: {} });
    slack.say(ADA, 'after');
    await line.message('after');
    await line.connection.pause();
    expect(textsOf(line)).toEqual(['after']);
    expect(slack.sockets.unacknowledged).toBe(0);
  });

  it('that are malformed end nothing, whatever they are', async () => {
    const frames = [
      ...[
        'null',
        '[]',
        '7',
        '""',
        '{',
        '',
        '\u0000',
        '{"type":"events_api"}',
        '{"type":"events_api","envelope_id":"a"}',
      ],
      ...[
        '{"type":"events_api","envelope_id":"b","payload":null}',
        '{"type":"events_api","payload":{"event":null}}',
      ],
      ...['{"type":"hello"}', '{"type":"constructor"}', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
      ...['{"type":"events_api","envelope_id":"c","payload":{"event":{"type":"close"}}}'],
    ];
    for (const frame of frames) slack.sockets.push(frame);
    const value = fc.jsonValue({ maxDepth: 4 });
    const envelope = fc.record(
      { type: fc.constantFrom('events_api', 'interactive', 'slash_commands', 'x'), payload: value },
      { requiredKeys: [] },
    );
    for (const frame of fc.sample(fc.oneof(value, envelope), 300)) slack.sockets.push(frame);
    slack.say(ADA, 'still there');
    await line.message('still there');
    expect(line.states).toEqual([{ kind: 'connected' }]);
    expect(slack.sockets.opened).toBe(1);
  });
});

describe('a command and a press', () => {
  /** Nothing can be stored until `works` is called. */
  async function withoutStore(): Promise<ManualClock> {
    await line.connection.close();
    const [own, stored] = [manualClock(), Promise.withResolvers<void>()];
    works = stored.resolve;
    line = await connectSlack(slack, () => stored.promise, own);
    return own;
  }
  const acknowledged = (): Promise<true> =>
    slack.when(() => slack.sockets.unacknowledged === 0 || undefined, {
      missing: () => `not acknowledged: ${JSON.stringify(slack.sockets.waiting)}`,
    });

  it('are acknowledged within 3 s although they cannot be stored, and the person hears of it', async () => {
    const { ids } = await line.connection.send(
      { id: ADA.id, kind: 'private' },
      { text: 'Sure?', buttons: [[{ label: 'Yes', data: 'y' }]] },
    );
    const own = await withoutStore();
    slack.slash(ADA, 'stop');
    slack.press(BOB, ids[0] ?? '', 'y');
    await slack.whenCalled('users.info', ({ params }) => params['user'] === BOB.id);
    for (const each of [own, clock]) each.advance(2000);
    await acknowledged();
    clock.advance(60_000);
    expect(slack.sockets.failed).toEqual([]);
    expect(slack.sockets.responses).toEqual([{ text: expect.stringContaining('not saved') }]);
    await slack.whenAmong(
      () => slack.workspace.notices,
      ({ user, text }) => user === BOB.id && text.includes('not saved'),
    );
    works();
    await line.message('stop');
    await line.event(({ kind }) => kind === 'button');
    expect(line.events).toHaveLength(2);
  });

  it('that are stored at once are acknowledged then, without a word', async () => {
    slack.slash(ADA, 'stop');
    await line.message('stop');
    await acknowledged();
    expect([slack.sockets.responses, slack.workspace.notices]).toEqual([[], []]);
  });

  it('fail in sight of the person when Hermes stops before they are stored, and never come again', async () => {
    await withoutStore();
    slack.slash(ADA, 'stop');
    await slack.whenCalled('users.info');
    slack.sockets.drop();
    clock.advance(400_000);
    expect(slack.sockets.failed).toMatchObject([{ type: 'slash_commands' }]);
    works();
    await line.message('stop');
    expect(line.events).toHaveLength(1);
  });
});

describe('names', () => {
  it('are asked for once, and not for what is not meant for us', async () => {
    slack.say(BOB, 'among us', { place: CHANNEL });
    slack.say(ADA, 'one');
    slack.say(ADA, 'two');
    expect((await line.message('two')).sender).toEqual({ id: 'U42', name: 'Ada' });
    expect((await line.message('among us')).sender).toEqual({ id: 'U43', name: 'U43' });
    expect(slack.calls.filter(({ method }) => method === 'users.info')).toHaveLength(1);
  });

  it('that cannot be learned are the id, and hold up nobody', async () => {
    slack.fault('users.info', 'hang');
    slack.fault('users.info', { retryAfterSeconds: 60 });
    slack.say(ADA, 'one');
    slack.say(BOB, 'two');
    expect((await line.message('one')).sender).toEqual({ id: 'U42', name: 'U42' });
    expect((await line.message('two')).sender).toEqual({ id: 'U43', name: 'U43' });
  });

  it('of a crowd are not all asked for', async () => {
    const crowd = Array.from({ length: 200 }, (_, at) => at);
    for (const at of crowd) slack.say({ id: `U9${at}` }, `hello ${at}`);
    await Promise.all(crowd.map(at => line.message(`hello ${at}`)));
    // The clock of this test runs twenty times as fast.
    expect(slack.calls.filter(({ method }) => method === 'users.info').length).toBeLessThan(200);
  });
});

describe('/hermes in a channel', () => {
  it('is answered in private, and nothing of it is seen there', async () => {
    await line.connection.announce?.([{ name: 'approve', doc: 'x' }]);
    slack.slash(ADA, 'approve ab12 once', CHANNEL);
    const event = await line.message('/approve ab12 once');
    expect(event).toMatchObject({ chat: { id: ADA.id, kind: 'private' }, sender: ADA });
    await line.connection.send(event.chat, { text: 'Approved: rm -rf /data' });
    expect(slack.sent.map(({ channel }) => channel)).toEqual(['D42']);
    await line.connection.pause();
    expect(slack.sockets.unacknowledged).toBe(0);
  });

  it('goes on with the private chat that is there', async () => {
    slack.say(ADA, 'before');
    const before = await line.message('before');
    slack.slash(ADA, 'what is new?', CHANNEL);
    expect((await line.message('what is new?')).chat).toEqual(before.chat);
  });
});

describe('the socket', () => {
  const total = (waits: readonly number[]): number => waits.reduce((sum, each) => sum + each, 0);

  /** With a clock that tells how long was waited. */
  async function reconnect(): Promise<{ readonly waits: readonly number[] }> {
    await line.connection.close();
    const { clock: own, waits } = recordingClock();
    line = await connectSlack(slack, undefined, own);
    return { waits };
  }

  it('is replaced when Slack asks for it, before the old one goes, and nobody notices', async () => {
    for (const reason of ['warning', 'refresh_requested']) {
      const { opened } = slack.sockets;
      slack.sockets.refresh(reason);
      await expect.poll(() => [slack.sockets.opened - opened, slack.sockets.count]).toEqual([1, 1]);
      slack.say(ADA, reason);
      await line.message(reason);
    }
    expect(line.states).toEqual([{ kind: 'connected' }]);
  });

  it('comes back after a storm of short connections, and does not take part in it', async () => {
    const { waits } = await reconnect();
    slack.sockets.rejects = 6;
    const { opened } = slack.sockets;
    slack.sockets.drop();
    await line.state('offline');
    slack.say(ADA, 'after the storm');
    await line.message('after the storm');
    // Each wait is at least half of what it is at most.
    expect(total(waits)).toBeGreaterThanOrEqual(31_500 / 2);
    expect(slack.sockets.opened - opened).toBe(7);
  });

  it('that is closed again and again right after it was opened is opened less and less often', async () => {
    const { waits } = await reconnect();
    slack.sockets.brief = 5;
    const { opened } = slack.sockets;
    slack.sockets.drop();
    await expect.poll(() => [slack.sockets.opened - opened, slack.sockets.count]).toEqual([6, 1]);
    expect(total(waits)).toBeGreaterThanOrEqual(15_500 / 2);
    slack.say(ADA, 'at last');
    await line.message('at last');
  });

  it('waits as long as Slack asks before another one is opened', async () => {
    const { waits } = await reconnect();
    slack.fault('apps.connections.open', { retryAfterSeconds: 10 });
    slack.sockets.drop();
    await line.state('offline');
    await line.state('connected', line.states.length);
    expect(waits).toContain(10_000);
  });

  it('that is dead is noticed, and another one takes its place', async () => {
    slack.say(ADA, 'before');
    await line.message('before');
    slack.sockets.freeze();
    slack.say(ADA, 'meanwhile');
    await line.message('meanwhile');
    expect(line.states.at(-1)).toEqual({ kind: 'connected' });
  });

  it('of another program with the same token is told of', async () => {
    const other = await connectSlack(slack);
    expect(other.log.join('')).toContain('another program is connected');
    await other.connection.close();
  });

  it('is closed although nobody answers', async () => {
    const { waits } = await reconnect();
    slack.sockets.freeze();
    await line.connection.close();
    expect(waits).toEqual([5000]);
  });
});
