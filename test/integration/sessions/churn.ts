// A process that does with session sandboxes what a gateway does, at random and without end, until it is killed.
// Arguments: the home of the installation, the settings as JSON, and the seed of what is random.
import { randomFrom } from '../../random.ts';
import { openGateway } from './world.ts';

const [home = '', settings = '{}', seed] = process.argv.slice(2);
const random = randomFrom(Number(seed));
const gateway = await openGateway({
  home,
  environment: JSON.parse(settings) as Record<string, string>,
  most: 3,
});
await gateway.sweeper.sweep([gateway.backend.name]);
process.stdout.write('ready\n');

async function step(chat: string): Promise<void> {
  const lease = await gateway.sandboxes.lease(await gateway.session(chat), {
    purpose: 'churn',
    actor: 'churn',
  });
  const { sandboxId } = lease;
  await lease.exec('echo x >>note', { persistent: random() < 0.5 });
  await lease.release();
  const entry = await gateway.world.store.ledger.find(sandboxId);
  const next = random();
  if (next < 0.25) await gateway.sandboxes.destroy(sandboxId);
  else if (next < 0.5 && entry) await gateway.sandboxes.retire(entry);
}

/** As many as no run will ever reach: whoever started this process ends it. */
async function worker(chat: string): Promise<void> {
  for (let count = 0; count < 10_000; count++) await step(chat);
}

await Promise.all(['a', 'b', 'c', 'd'].map(worker));
