// What somebody says in quick succession reaches the model, all of it and in order: the real agent, its model on loopback.
import { expect, it, onTestFinished } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { USER } from './house.ts';
import { realAgent } from './real-agent.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();
const NOTHING_SPENT = {
  inputTokens: 0,
  outputTokens: 0,
  modelCalls: 1,
  toolCalls: 1,
  contextTokens: null,
  costMicros: null,
};

async function open(settings = '') {
  const model = await startModelServer(({ lastText }) => [{ text: `Heard: ${lastText}` }]);
  onTestFinished(() => model.stop());
  const house = await houses.open({
    settings,
    agent: (ground, desk) => realAgent(ground, desk, model.openAiUrl),
  });
  /** What the model was shown of the person's words in its last request. */
  const heard = (): string =>
    (model.requests.at(-1)?.messages ?? [])
      .flatMap(({ role, text }) => (role === 'user' ? [text] : []))
      .join('\n\n');
  return { ...house, model, heard };
}

it('P12: loses nothing of two messages that come at once', async () => {
  const { platform, heard, ground } = await open();
  for (let round = 0; round < 10; round++) {
    const [one, two] = [`one-${round}`, `two-${round}`];
    await Promise.all([platform.say(USER, one), platform.say(USER, two)]);
    await platform.until(() => platform.texts(USER).some(text => text.endsWith(two)));
    expect(heard().indexOf(one)).toBeGreaterThanOrEqual(0);
    expect(heard().indexOf(two)).toBeGreaterThan(heard().indexOf(one));
  }
  expect(await ground.world.store.inbox.waiting()).toEqual([]);
  expect(await ground.world.store.inbox.unfinished()).toEqual([]);
});

it('P12: loses neither a picture nor the caption of an album', async () => {
  const { platform, heard } = await open();
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) platform.files.set(name, Buffer.from(name));
  const album = (name: string, text: string) => platform.say(USER, text, { files: [{ name, size: 5 }] });
  await Promise.all([album('a.jpg', 'What is on these?'), album('b.jpg', ''), album('c.jpg', '')]);
  await platform.until(() => platform.texts(USER).some(text => text.includes('c.jpg')));
  for (const part of ['What is on these?', 'a.jpg', 'b.jpg', 'c.jpg']) expect(heard()).toContain(part);
});

it('P12: gives the answer after a crash that fell between its writing and its end, and the conversation goes on', async () => {
  const { platform, model, ground, home, gateway, crash } = await open();
  await platform.say(USER, 'one');
  await platform.shows(USER, 'Heard: one');
  await gateway.drained();
  const { store, holder } = ground.world;
  const [{ id: sessionId } = { id: '' }] = await store.sessions.list({ which: 'all', limit: 1 });
  // As the agent leaves it when it is killed right there.
  await store.runs.begin({ id: 'killed', sessionId, holder, requester: `telegram:${USER}` });
  const place = { platform: 'telegram', chat: USER };
  const body = { text: 'two', files: [], name: 'x', role: 'user', chat: { id: USER, kind: 'private' } };
  await store.inbox.put({
    ...place,
    messageId: 'm2',
    sessionId,
    person: `telegram:${USER}`,
    body,
    runId: 'killed',
  });
  const call = { id: 'c', name: 'terminal', input: '{"command":"true"}' };
  for (const message of [
    { role: 'user', text: 'two' },
    { role: 'assistant', text: '', calls: [call] },
    { role: 'tool', answers: [{ id: 'c', name: 'terminal', text: 'ok', isError: false }] },
    { role: 'assistant', text: 'Heard: two', calls: [] },
  ])
    await store.turns.append({ sessionId, runId: 'killed', message });
  await store.runs.startTool('killed', NOTHING_SPENT);
  await crash();
  await houses.open({ home, platform, agent: (under, desk) => realAgent(under, desk, model.openAiUrl) });
  await platform.shows(USER, 'Heard: two');
  expect(platform.texts(USER).join()).not.toContain('restarted');
  await platform.say(USER, 'three');
  await platform.shows(USER, 'Heard: three');
  const roles = model.requests.at(-1)?.messages.map(({ role }) => role);
  expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'tool', 'assistant', 'user']);
});
