// What a message costs the disk: each commit waits for it.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commitsDuring } from '../../commits.ts';
import { startModelServer } from '../../doubles/model-server.ts';
import { USER } from './house.ts';
import { realAgent } from './real-agent.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

it('commits a plain message six times', async () => {
  const model = await startModelServer([[{ text: 'Hello.' }]]);
  onTestFinished(() => model.stop());
  const { home, platform, gateway } = await houses.open({
    agent: (world, desk) => realAgent(world, desk, model.openAiUrl),
  });
  const answers = (): number => platform.texts(USER).length;
  const talk = async (): Promise<void> => {
    const before = answers();
    await platform.say(USER, 'hello');
    await platform.until(() => answers() > before);
    await gateway.drained();
  };
  await talk();
  const counts: number[] = [];
  // The gateway writes for itself now and then: of several messages one is alone.
  for (let at = 0; at < 4; at++) counts.push(await commitsDuring(join(home, 'state.db'), talk));
  expect(Math.min(...counts), counts.join()).toBeLessThanOrEqual(6);
});
