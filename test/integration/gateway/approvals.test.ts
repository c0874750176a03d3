// Approvals in chats: whole, to owners only, answered once, and never by anybody else (P8).
import { expect, it } from 'vitest';
import type { AgentEvent, Turn } from '../../../src/agent/events.ts';
import type { Question } from '../../../src/approvals/question.ts';
import type { Session } from '../../../src/store/sessions.ts';
import { within } from '../../wait.ts';
import { answered, type House, type HouseOptions, OWNER, USER } from './house.ts';
import { MemoryPlatform } from './memory-platform.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();
const finding = {
  ...{ rule: 'delete.recursive', family: 'deleting', severity: 'high', threatens: [], part: 'rm -rf /srv' },
  ...{ reason: 'deletes a folder with everything in it', paths: ['/srv'] },
};

/** An agent that asks for one command and says what came of it. */
function asking(command: string, found: readonly (typeof finding)[], house: () => House) {
  const asked = Promise.withResolvers<Question>();
  async function* script(turn: Turn, session: Session): AsyncGenerator<AgentEvent> {
    if (turn.text === 'yes') return yield answered('I heard yes');
    const { runId, requester, signal } = turn;
    // Only what is shown of a finding matters here.
    const findings = found as unknown as Question['findings'];
    const verdict = house().desk.ask({ sessionId: session.id, runId, requester, command, findings }, signal);
    const question = await within(asked.promise, 'the question');
    yield { type: 'approval-asked', question };
    const came = await verdict;
    const text = came.kind === 'approved' ? `ran it (${came.scope})` : came.reason;
    yield { type: 'approval-settled', id: question.id, approved: came.kind === 'approved', text };
    yield answered(text);
  }
  return { script, onAsked: asked.resolve, asked: asked.promise };
}

async function open(command: string, options: HouseOptions & { found?: readonly (typeof finding)[] } = {}) {
  let house: House | undefined;
  const { asked, ...given } = asking(command, options.found ?? [finding], () => house as House); // it is there before anybody writes
  house = await houses.open({ ...given, ...options });
  return { ...house, asked };
}

it('P8: shows an owner the whole command and every finding, and tells the requester that it waits', async () => {
  const { platform, asked } = await open('rm -rf /srv; echo `date`');
  await platform.say(USER, 'clean up');
  await platform.until(() => platform.chat(OWNER).length === 1);
  const [card] = platform.chat(OWNER);
  const { id } = await asked;
  expect(card?.text).toContain('rm -rf /srv; echo `date`');
  expect(card?.text).toContain('deletes a folder with everything in it (high): `rm -rf /srv`');
  expect(card?.text).toContain(`\`name of ${USER}\` (\`telegram:${USER}\`) wants to run`);
  expect(card?.buttons).toEqual(['Once', 'Session', 'Always', 'Deny']);
  for (const data of Object.values(card?.data ?? {})) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
  await platform.shows(USER, `Waiting for an owner to approve this (${id})`);
  await platform.press(OWNER, 'Session');
  await platform.shows(USER, 'ran it (session)');
  await platform.until(() => card?.text.includes('✔ Approved (session) by telegram:1.') ?? false);
  expect(card?.buttons).toEqual([]);
});

it('P8: refuses the answers of others, a button of another question, and bare words', async () => {
  const { platform, asked, ground } = await open('rm -rf /srv');
  await platform.say(OWNER, 'clean up');
  await platform.until(() => platform.chat(OWNER).length === 1);
  const { id, nonce } = await asked;
  const data = `a:${id}:${nonce.slice(0, 8)}:o`;
  const forge = (text: string) => Object.assign(platform.chat(OWNER)[0] ?? {}, { data: { Once: text } });
  await platform.press(OWNER, 'Once', { from: USER });
  forge(`a:${id}:${'x'.repeat(8)}:o`);
  await platform.press(OWNER, 'Once');
  forge(`a:${id}::o`);
  await platform.press(OWNER, 'Once');
  await platform.say(USER, `/approve ${id}`);
  await platform.shows(USER, 'Only an owner may use /approve');
  await platform.say(USER, 'yes');
  await platform.shows(USER, 'I heard yes');
  expect(platform.notes).toEqual([
    'Only an owner can answer this.',
    'That button belongs to another question.',
    'That button means nothing any more.',
  ]);
  expect((await ground.world.store.approvals.find(id))?.state).toBe('pending');
  forge(data);
  await platform.press(OWNER, 'Once');
  await platform.shows(OWNER, 'ran it (once)');
});

it('takes /approve and /deny during the run, and says truthfully what a late answer is worth', async () => {
  const { platform, asked } = await open('rm -rf /srv');
  await platform.say(USER, 'clean up');
  const { id } = await asked;
  await platform.say(OWNER, `/deny ${id} not on a Friday`);
  await platform.shows(USER, 'Denied by the owner: not on a Friday');
  await platform.say(OWNER, `/approve ${id} always`);
  await platform.shows(OWNER, 'It was denied already, by telegram:1.');
  await platform.shows(OWNER, '✖ Denied by telegram:1: not on a Friday.');
});

it('sends a command that is too long for a card along as a file, whole', async () => {
  const command = `echo ${'very '.repeat(500)}long; rm -rf /srv`;
  const platform = new MemoryPlatform('telegram', { maxText: 1000 });
  await open(command, { platform });
  await platform.say(USER, 'clean up');
  await platform.until(() => platform.chat(OWNER).length === 2);
  const [file, card] = platform.chat(OWNER);
  expect(Buffer.from(file?.file?.bytes ?? []).toString()).toContain(command);
  expect(card?.text.length).toBeLessThan(1000);
  expect(card?.text).toContain('in the file above');
  await platform.press(OWNER, 'Deny');
  await platform.shows(USER, 'Denied by the owner.');
});

it('P7: hides in a long card and its file what is hidden in the command', async () => {
  const command = `echo ${'very '.repeat(500)}long; rm -rf /srv/hunter2`;
  const platform = new MemoryPlatform('telegram', { maxText: 1000 });
  const found = [{ ...finding, part: 'rm -rf /srv/hunter2' }];
  await open(command, { platform, found });
  await platform.say(USER, 'clean up');
  await platform.until(() => platform.chat(OWNER).length === 2);
  const [file, card] = platform.chat(OWNER);
  const text = Buffer.from(file?.file?.bytes ?? []).toString();
  expect(text).toContain('rm -rf /srv/***');
  expect(text).not.toContain('hunter2');
  expect(card?.text).not.toContain('hunter2');
  await platform.press(OWNER, 'Deny');
  await platform.shows(USER, 'Denied by the owner.');
});

it('changes the card when nobody answers in time, and when the run is stopped', async () => {
  const { platform } = await open('rm -rf /srv', { approvalMs: 50 });
  await platform.say(USER, 'clean up');
  await platform.shows(OWNER, '⌛ Expired');
  await platform.shows(USER, 'nobody answered in time');
  const second = await open('rm -rf /srv');
  await second.platform.say(USER, 'clean up');
  await second.platform.until(() => second.platform.chat(OWNER).length === 1);
  await second.platform.say(USER, '/stop');
  await second.platform.shows(OWNER, '∅ The run that asked has ended');
});

it('P8: denies at once when no owner can be reached', async () => {
  const { platform, ground } = await open('rm -rf /srv');
  await ground.world.store.people.forget({ platform: 'telegram', userId: OWNER });
  await platform.say(USER, 'clean up');
  await platform.shows(USER, 'Not approved: nobody can be asked.');
  expect(platform.texts(USER)[0]).toContain('no owner can be reached');
});

it('P8: closes the questions of dead runs after a restart, on the card and in the chat', async () => {
  const first = await open('rm -rf /srv');
  const { platform, home, asked } = first;
  await platform.say(USER, 'clean up');
  await platform.until(() => platform.chat(OWNER).length === 1 && platform.chat(USER).length === 1);
  const { id } = await asked;
  await first.gateway.drained();
  await first.crash();
  await houses.open({ home, platform });
  await platform.shows(OWNER, '∅ The run that asked has ended');
  await platform.shows(USER, `Approval ${id}: ∅`);
  await platform.say(OWNER, `/approve ${id}`);
  await platform.shows(OWNER, 'The run that asked has ended; nothing was run.');
});
