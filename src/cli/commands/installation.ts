// The state of this installation for commands that look at it or change it, beside a gateway or without one.
import { existsSync } from 'node:fs';
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { HermesConfig, Installation } from '../../compose.ts';
import type { SandboxWorld } from '../../sessions/world.ts';
import { stateFile } from '../../store/state-file.ts';
import type { CommandContext } from '../command.ts';

export interface Opened {
  readonly config: HermesConfig;
  readonly world: SandboxWorld;
  readonly gateway: 'running' | 'none';
}

interface Bare {
  readonly config: HermesConfig;
  readonly world?: undefined;
  readonly gateway?: undefined;
}

/** Looking makes nothing: where there is no state yet, `work` gets the configuration alone. */
export async function withState<T>(
  context: CommandContext,
  work: (opened: Opened | Bare) => Promise<T>,
): Promise<T> {
  const config = await context.config();
  if (context.inside) return work({ config, world: context.inside.world, gateway: 'running' });
  const { home } = config.paths;
  if (!existsSync(stateFile(home))) return work({ config });
  const { isGatewayRunning } = await import('../../sessions/gateway-lock.ts');
  const installation = await openForCommand(config, context);
  const gateway = isGatewayRunning(home) ? 'running' : 'none';
  try {
    const result = await work({ config, world: installation.world, gateway });
    await endOverdueHere(installation.world, config, context);
    return result;
  } finally {
    await installation.close();
  }
}

/** Where no gateway looks after it, a command ends what is over by its age, after its own work. It never fails by that. */
export async function endOverdueHere(
  world: SandboxWorld,
  config: HermesConfig,
  context: CommandContext,
): Promise<void> {
  if (context.inside || context.signal.aborted) return;
  const { endOverdue } = await import('../../sessions/overdue.ts');
  try {
    const ended = await endOverdue(world, config.paths.home);
    if (ended.length > 0) context.note(`Ended because their time was over: ${ended.join(', ')}`);
  } catch (error) {
    if (!isHermesError(error)) throw error;
    context.note(`What is over by its age could not be ended: ${error.message}`);
  }
}

/** The state and the drivers for a command; the state is made where there is none. */
export async function openForCommand(config: HermesConfig, context: CommandContext): Promise<Installation> {
  if (context.inside) return { world: context.inside.world, close: async () => undefined };
  const [{ openInstallation, redactorOf }, { createLog }] = await Promise.all([
    import('../../compose.ts'),
    import('../../base/log.ts'),
  ]);
  const redactor = await redactorOf(config);
  // What goes wrong is told by the command itself.
  const log = createLog({
    level: 'silent',
    destination: { write() {} },
    redact: redactor.redact,
    now: context.clock.now,
  });
  return openInstallation(config, context.environment, {
    role: 'cli',
    log,
    progress: context.note,
    redactor,
  });
}

/** For commands that name a sandbox or a session: without a state there is none. */
export function withWorld<T>(
  context: CommandContext,
  id: string,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  return withState(context, opened => {
    if (opened.world) return work(opened);
    throw new HermesError(
      'USAGE_UNKNOWN_ID',
      `There is no ${id}: nothing was ever made in ${opened.config.paths.home}. HERMES_HOME names another folder.`,
    );
  });
}
