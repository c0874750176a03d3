// What the start of a gateway tells whoever has started it.
import type { PlatformStatus } from '../../../gateway/process/heart.ts';
import type { GatewayStatus } from '../../../gateway/process/status.ts';
import { plainLine } from '../wording.ts';

/** The line that a gateway prints with --json when it is ready; `start --detach` reads it. */
export interface Ready {
  readonly event: 'ready';
  readonly status: GatewayStatus;
  /** Where messaging sessions run and who decided so, and which settings are not applied. */
  readonly notes: readonly string[];
  /** For the eyes of whoever has started it, such as the code that claims the first owner. */
  readonly greeting: readonly string[];
}

export function readyText({ status, notes, greeting }: Ready): string {
  const { version, pid, http, log } = status;
  return [
    `Gateway ${version} is ready: process ${pid}.`,
    `Health and figures: ${http}/healthz, /readyz, /metrics. Log: ${log}`,
    ...notes,
    platformsText(status),
    ...greeting,
  ].join('\n');
}

function platformsText({ platforms = [] }: GatewayStatus): string {
  if (platforms.length === 0) return 'Platforms: none is set up.';
  return ['Platforms:', ...platforms.map(each => `  ${each.name}: ${platformText(each)}`)].join('\n');
}

export function platformText({ state, account, reason }: PlatformStatus): string {
  return plainLine(state === 'connected' ? (account ?? state) : reason ? `${state}: ${reason}` : state);
}
