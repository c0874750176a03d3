// The settings as the running gateway has them: `hermes start` turns the page on without writing it down.
import { isHermesError } from '../../../base/errors.ts';
import type { HermesConfig } from '../../../compose.ts';
import { askIfRunning } from '../../../gateway/process/ask-gateway.ts';
import type { GatewayStatus } from '../../../gateway/process/status.ts';
import type { CommandContext } from '../../command.ts';

/** An audit is to be over within two seconds. */
const TIMEOUT_MS = 500;

/** What is served counts as turned on, whatever the settings say. */
export async function configInForce(written: HermesConfig, context: CommandContext): Promise<HermesConfig> {
  if (context.inside) return written;
  const switches = (await platformsServed(written, context)).map(name => `${name}.enabled`);
  const off = written.entries().filter(({ key, value }) => value === false && switches.includes(key));
  if (off.length === 0) return written;
  return context.config(
    Object.fromEntries(off.map(({ key }) => [key, { flag: 'the running gateway', text: 'true' }])),
  );
}

async function platformsServed(
  { paths: { home } }: HermesConfig,
  { clock, note }: CommandContext,
): Promise<readonly string[]> {
  try {
    const answer = await askIfRunning(home, { verb: 'status' }, { clock, timeoutMs: TIMEOUT_MS });
    const status = answer as GatewayStatus | undefined; // from the same program, behind a socket of our own
    return (status?.platforms ?? []).map(({ name }) => name);
  } catch (error) {
    if (!isHermesError(error)) throw error;
    note(`Only what is written was looked at, not what the gateway serves: ${error.message}`);
    return [];
  }
}
