// A process in which so many sessions run at once: HOME URL COUNT. When each has done a step and waits for its model, it
// prints how much memory the process has, in MiB; it ends when all have been answered.
import { openGateway } from '../sessions/world.ts';
import { say, stageOn } from './stage.ts';

const [home = '', url = '', count = '0'] = process.argv.slice(2);
const most = Number(count);
const gateway = await openGateway({ home, environment: { TERMINAL_ENV: 'bubblewrap' }, most });
const { agent } = await stageOn(gateway, { server: { openAiUrl: url } });
let waiting = 0;
const onEvent = ({ type }: { readonly type: string }): void => {
  if (type === 'text' && ++waiting === most) console.log(Math.round(process.memoryUsage.rss() / 2 ** 20));
};
const runs = Array.from({ length: most }, async (_, at) =>
  say(agent, await gateway.session(`chat${at}`), 'go', { onEvent }),
);
const kinds = (await Promise.all(runs)).map(({ outcome }) => outcome.kind);
console.log([...new Set(kinds)].join());
await gateway.close();
