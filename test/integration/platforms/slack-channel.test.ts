// What others in a channel never see: a whole gateway on Slack, with somebody who works in a channel, an owner who answers there
// by /hermes, and strangers.
import { afterEach, expect, it } from 'vitest';
import type { AgentEvent, Turn } from '../../../src/agent/events.ts';
import type { Question } from '../../../src/approvals/question.ts';
import type { Session } from '../../../src/store/sessions.ts';
import { SlackDouble } from '../../doubles/slack-server.ts';
import { answered, type House } from '../gateway/house.ts';
import { useHouses } from '../gateway/use-houses.ts';
import { slackPlatform } from './slack-line.ts';

const OWNER = { id: 'U1', name: 'Olga' };
const ADA = { id: 'U2', name: 'Ada' };
const EVE = { id: 'U9', name: 'Eve' };
const CHANNEL = { channel: 'C7', kind: 'channel' } as const;
const COMMAND = 'rm -rf /srv/secret-plan';

const houses = useHouses();
let slack: SlackDouble | undefined;
afterEach(() => slack?.close());

/** Asks before it does anything. */
async function* askFirst(turn: Turn, session: Session, house: () => House, asked: Promise<Question>) {
  const { runId, requester, signal } = turn;
  const question = { sessionId: session.id, runId, requester, command: COMMAND, findings: [] };
  const verdict = house().desk.ask(question, signal);
  yield { type: 'approval-asked', question: await asked } satisfies AgentEvent;
  const { kind } = await verdict;
  yield {
    type: 'approval-settled',
    id: (await asked).id,
    approved: kind === 'approved',
    text: kind,
  } satisfies AgentEvent;
  yield answered(`It was ${kind}.`);
}

async function open(double: SlackDouble): Promise<House> {
  const asked = Promise.withResolvers<Question>();
  const opened: House = await houses.open({
    settings: `slack:\n  allowed_users: [${ADA.id}]\n`,
    platforms: async () => [await slackPlatform(double)],
    script: (turn, session) => askFirst(turn, session, () => opened, asked.promise),
    onAsked: asked.resolve,
  });
  const owner = { platform: 'slack', userId: OWNER.id, name: OWNER.name, role: 'owner' } as const;
  await opened.ground.world.store.people.decide({ ...owner, standing: 'allowed', decidedBy: 'test' });
  return opened;
}

it('an approval and its answer are the owner’s alone, also when they answer in the channel', async () => {
  slack = await SlackDouble.start();
  const seen = (channel: string): string =>
    (slack?.sent ?? [])
      .filter(each => each.channel === channel)
      .map(({ text }) => text)
      .join('\n');
  await open(slack);
  slack.say(ADA, '<@U0BOT> clean up', { place: CHANNEL });
  const card = await slack.whenSent(({ channel, text }) => channel === 'D1' && text.includes(COMMAND));
  const id = /\/approve (\w+)/.exec(card.text)?.[1] ?? '';
  slack.slash(OWNER, `approve ${id} once`, CHANNEL);
  await slack.whenSent(({ channel, text }) => channel === 'D1' && text === 'Approved (once).');
  await slack.whenSent(({ channel, text }) => channel === 'C7' && text === 'It was approved.');
  expect(seen('C7')).not.toMatch(/rm -rf|Approved/);
  expect(slack.sent.map(({ channel }) => channel)).toSatisfy((all: string[]) =>
    all.every(each => ['C7', 'D1'].includes(each)),
  );
});

it('strangers get nothing in a channel, and their code in private', async () => {
  slack = await SlackDouble.start();
  await open(slack);
  slack.say(EVE, '<@U0BOT> let me in', { place: CHANNEL, file: { name: 'x', bytes: Buffer.from('x') } });
  slack.slash(EVE, 'let me in', CHANNEL);
  const code = await slack.whenSent(({ channel }) => channel === 'D9');
  expect(code.text).toMatch(/code/i);
  expect(slack.sent.filter(({ channel }) => channel === 'C7')).toEqual([]);
  const done = slack.calls.map(({ method }) => method);
  for (const method of ['files.info', 'file', 'reactions.add', 'chat.postEphemeral'])
    expect(done).not.toContain(method);
});
