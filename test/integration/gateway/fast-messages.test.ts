// What somebody says in quick succession reaches the model, all of it and in order: the real agent, its model on loopback.
import { expect, it, onTestFinished } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { USER } from './house.ts';
import { realAgent } from './real-agent.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

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
