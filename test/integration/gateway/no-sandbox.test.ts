// A chat that cannot have a sandbox: whoever writes there learns why, or that the owners know; the owners learn it once.
import { expect, it, onTestFinished } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { OWNER, USER } from './house.ts';
import { realAgent } from './real-agent.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();
const NO_ENGINE = { TERMINAL_ENV: 'docker', DOCKER_HOST: 'unix:///nonexistent/docker.sock' };

async function openHouse() {
  const model = await startModelServer(({ results }) =>
    results.length === 0
      ? [{ call: { name: 'terminal', input: { command: 'ls' } } }]
      : [{ text: `The tool said: ${results[0]}` }],
  );
  onTestFinished(() => model[Symbol.asyncDispose]());
  return houses.open({
    environment: NO_ENGINE,
    agent: (ground, desk) => realAgent(ground, desk, model.openAiUrl),
  });
}

it('tells a user that the owner knows, and the owner the reason, once and not with every message', async () => {
  const { platform } = await openHouse();
  for (const text of ['first', 'second']) {
    const before = platform.texts(USER).length;
    await platform.say(USER, text);
    await platform.until(() => platform.texts(USER).slice(before).join().includes('The tool said'));
    const said = platform.texts(USER).slice(before).join('\n');
    expect(said).toContain('The owner has been told why.');
    expect(said).not.toContain('docker.sock');
  }
  await platform.say('3', 'somebody else');
  await platform.shows('3', 'The owner has been told why.');
  const told = platform.texts(OWNER).filter(text => text.includes('Could not start a sandbox'));
  expect(told).toEqual([expect.stringMatching(/for name of 2 on telegram: .*docker\.sock/)]);
});

it('tells an owner the reason in the chat, as the answer to a command', async () => {
  const { platform } = await openHouse();
  await platform.say(OWNER, '!ls');
  await platform.shows(OWNER, 'Could not start a sandbox');
  await platform.say(OWNER, '/status');
  await platform.shows(OWNER, 'Backend');
  const told = platform.texts(OWNER).filter(text => text.includes('sandbox') && !text.includes('Backend'));
  expect(told).toEqual([expect.stringContaining('docker.sock')]);
});
