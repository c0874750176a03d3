// hermes gateway status: whether a gateway runs, since when, and how it is.
import type { GatewayStatus } from '../../../gateway/process/status.ts';
import { defineCommand, type Look } from '../../command.ts';
import { wrapText } from '../../table.ts';
import { ageText, timeText } from '../wording.ts';
import { platformText } from './ready.ts';
import { runningStatus } from './running-status.ts';

interface Answer {
  readonly now: number;
  readonly home: string;
  readonly gateway: GatewayStatus | null;
}

/** As systemctl has it. */
const EXIT_NOT_RUNNING = 3;

export const gatewayStatus = defineCommand({
  doc: 'Says whether the gateway of this home runs, since when, where it answers, and how its platforms are. Exits 3 when none runs. `hermes status` shows the whole installation.',
  flags: {},
  args: [],
  examples: [
    ['gateway status', 'for people'],
    ['gateway status --json', 'for programs'],
  ],
  async run(_input, context): Promise<Answer> {
    const { home } = (await context.config()).paths;
    return { now: context.clock.now(), home, gateway: (await runningStatus(home, context)) ?? null };
  },
  render: renderStatus,
  exitCode: ({ gateway }) => (gateway ? 0 : EXIT_NOT_RUNNING),
});

function renderStatus({ now, home, gateway }: Answer, look: Look): string {
  if (!gateway) return wrapText(`No gateway runs for ${home}.`, look);
  const { state, pid, version, startedAt, http, log, supervisor, platforms = [], runs, sandboxes } = gateway;
  const image = sandboxes.image === null ? '' : `, image ${sandboxes.image}`;
  const lines = [
    `Gateway ${version} is ${state}: process ${pid}, for ${ageText(startedAt, now)}, since ${timeText(startedAt)}.`,
    `Watched over by: ${supervisor === 'none' ? 'nobody' : supervisor}`,
    `Pages: ${http}`,
    `Log: ${log}`,
    `Messaging sessions: ${sandboxes.backend}${image}, isolation ${sandboxes.isolation}, network ${sandboxes.network}`,
    ...(runs ? [`Runs: ${runs.active} active, ${runs.waiting} waiting`] : []),
    platforms.length === 0 ? 'Platforms: none' : 'Platforms:',
    ...platforms.map(each => `  ${each.name}: ${platformText(each)}`),
    ...gateway.warnings.flatMap(text => text.split('\n')),
  ];
  return lines.map(line => wrapText(line, look)).join('\n');
}
