// What a command has changed beside a gateway that may run. It stands; the gateway only learns of it sooner.
import { isHermesError } from '../../base/errors.ts';
import type { HermesConfig } from '../../compose.ts';
import type { ControlRequest } from '../../gateway/process/control-protocol.ts';
import type { CommandContext } from '../command.ts';

export async function tellGateway(
  { paths }: HermesConfig,
  change: ControlRequest,
  context: CommandContext,
): Promise<void> {
  const { askIfRunning } = await import('../../gateway/process/ask-gateway.ts');
  try {
    await askIfRunning(paths.home, change);
  } catch (error) {
    if (!isHermesError(error)) throw error;
    context.note(`The running gateway could not be told: ${error.message}`);
  }
}
