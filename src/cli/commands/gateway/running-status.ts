// The status of the running gateway, as it tells it itself.
import { askIfRunning } from '../../../gateway/process/ask-gateway.ts';
import type { GatewayStatus } from '../../../gateway/process/status.ts';
import type { CommandContext } from '../../command.ts';

/** A gateway that is busy still answers within this. */
const TIMEOUT_MS = 5000;

/** Undefined when none runs, or it is not far enough to answer. */
export async function runningStatus(
  home: string,
  { clock }: Pick<CommandContext, 'clock'>,
): Promise<GatewayStatus | undefined> {
  const answer = await askIfRunning(home, { verb: 'status' }, { clock, timeoutMs: TIMEOUT_MS });
  return answer as GatewayStatus | undefined; // from the same program, behind a socket of our own
}
