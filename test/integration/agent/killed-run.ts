// A process in which an agent works on one message until the process is killed; each event is a line of output.
// Arguments: the home of the installation, the address of the model, and the message.
import { openGateway } from '../sessions/world.ts';
import { say, stageOn } from './stage.ts';

const [home = '', openAiUrl = '', text = ''] = process.argv.slice(2);
const gateway = await openGateway({ home, environment: { TERMINAL_ENV: 'bubblewrap' } });
const { agent } = await stageOn(gateway, { server: { openAiUrl } });
await say(agent, await gateway.session('a'), text, {
  runId: 'cut',
  onEvent: event => process.stdout.write(`${JSON.stringify(event)}\n`),
});
