// A gateway that waits in the middle of commands until it is killed; started by crash.test.ts.
// Arguments: the home, the settings as JSON, and two numbers to know its processes by: of commands, and of a job.
import { openGateway } from './world.ts';

const [home = '', settings = '{}', marker, job] = process.argv.slice(2);
const gateway = await openGateway({ home, environment: JSON.parse(settings) as Record<string, string> });
await gateway.sweeper.sweep([gateway.backend.name]);
const lease = await gateway.sandboxes.lease(await gateway.session('chat'), {
  purpose: 'run',
  actor: 'test:1',
});
await lease.exec('cd /tmp; state=kept', { persistent: true });
await lease.start(`sleep ${job}`);
// In a group, a session and an environment of its own, and nobody's child.
const hidden = `( setsid env -i "$(command -v sleep)" ${marker} & )`;
await Promise.all([
  lease.exec(`${hidden}; bash -c 'sleep ${marker}; true'; echo AFTER >after`),
  lease.exec(`sleep ${marker}; echo AFTER >after`, { persistent: true }),
]);
