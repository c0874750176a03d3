// A process that does with session sandboxes what a gateway does, at random and without end, until it is killed.
// Arguments: the home of the installation, and the settings as JSON.
import { randomInt } from 'node:crypto';
import { openGateway } from './world.ts';

const [home = '', settings = '{}'] = process.argv.slice(2);
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
  await lease.exec('echo x >>note', { persistent: randomInt(2) === 0 });
  await lease.release();
  const entry = await gateway.world.store.ledger.find(sandboxId);
  const next = randomInt(4);
  if (next === 0) await gateway.sandboxes.destroy(sandboxId);
  if (next === 1 && entry) await gateway.sandboxes.retire(entry);
}

/** As many as no run will ever reach: whoever started this process ends it. */
async function worker(chat: string): Promise<void> {
  for (let count = 0; count < 10_000; count++) await step(chat);
}

await Promise.all(['a', 'b', 'c', 'd'].map(worker));
