// What the start of a gateway tells whoever has started it.
import type { PlatformStatus } from '../../../gateway/process/heart.ts';
import type { GatewayStatus } from '../../../gateway/process/status.ts';
import type { Invitation } from '../../../platforms/platform.ts';
import type { Look } from '../../command.ts';
import { wrapText } from '../../table.ts';
import { plainLine } from '../wording.ts';

/** The line that a gateway prints with --json when it is ready; `start --detach` reads it. */
export interface Ready {
  readonly event: 'ready';
  readonly status: GatewayStatus;
  /** Where messaging sessions run and who decided so, and which settings are not applied. */
  readonly notes: readonly string[];
  /** For the eyes of whoever has started it, such as the code that claims the first owner. */
  readonly greeting: readonly string[];
  /** Into the page, once, as an owner; where no command can make one later. */
  readonly login?: Invitation;
}

export function readyText({ status, notes, greeting, login }: Ready, look: Look): string {
  const { version, pid, http, log } = status;
  const lines = [
    `Gateway ${version} is ready: process ${pid}.`,
    `Health and figures: ${http}/healthz, /readyz, /metrics`,
    `Log: ${log}`,
    ...notes,
    ...platformLines(status),
    ...greeting,
    ...(login ? [`The page, once, as its owner: ${login.link}`] : []),
  ];
  return lines.map(line => wrapText(line, look)).join('\n');
}

function platformLines({ platforms = [] }: GatewayStatus): readonly string[] {
  if (platforms.length === 0) return ['Platforms: none is set up.'];
  return ['Platforms:', ...platforms.map(each => `  ${each.name}: ${platformText(each)}`)];
}

export function platformText({ state, account, reason }: PlatformStatus): string {
  return plainLine(state === 'connected' ? (account ?? state) : reason ? `${state}: ${reason}` : state);
}
