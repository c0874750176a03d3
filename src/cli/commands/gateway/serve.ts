// A gateway in this process, from the configuration to the end.
import { totalmem } from 'node:os';
import type { Log } from '../../../base/log.ts';
import type { Redactor } from '../../../base/redact/redactor.ts';
import type { HermesConfig, Installation } from '../../../compose.ts';
import type { GatewayLog } from '../../../gateway/process/gateway-log.ts';
import type { RunningGateway } from '../../../gateway/process/start-gateway.ts';
import type { GatewayStatus } from '../../../gateway/process/status.ts';
import type { CommandContext } from '../../command.ts';
import { version } from '../../version.ts';
import { type Ready, readyText } from './ready.ts';

export interface Stopped {
  readonly event: 'stopped';
  /** What made it end: a signal, or a command. */
  readonly reason: string;
  /** Its supervisor is to start it again. */
  readonly wantsRestart: boolean;
}

/** Resolves when it has stopped. Throws what keeps it from starting. */
export async function serveGateway(
  context: CommandContext,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Promise<Stopped> {
  // Before anything else: what is wrong with it is told, and nothing is made.
  const config = await context.config();
  for (const notice of config.notices) context.note(notice);
  const [{ redactorOf }, { startGateway }] = await Promise.all([
    import('../../../compose.ts'),
    import('../../../gateway/process/start-gateway.ts'),
  ]);
  const { home } = config.paths;
  const redactor = await redactorOf(config);
  const { environment, signal } = context;
  const { log, path: logPath, close } = await openLog(context, config, redactor.redact);
  const asked: { purpose: 'end' | 'restart'; failure?: Error } = { purpose: 'end' }; // until somebody says otherwise
  const onHopeless = (failure: Error): void => {
    asked.failure = failure;
    context.end();
  };
  try {
    const { installation, onStarted } = await openState(context, config, { log, redactor, mayBeNew });
    try {
      const gateway = await startGateway({
        world: installation.world,
        ...{ config, home, logPath, signal },
        pid: process.pid,
        memoryBytes: totalmem(),
        version: version(),
        makeHeart: async serving => {
          const [{ openHeart }, { lazyPages }] = await Promise.all([
            import('../../../compose/gateway.ts'),
            import('../../../compose/lazy-pages.ts'),
          ]);
          const { world } = installation;
          const pages = lazyPages({ context, world, serving, redactor, version: version() });
          const { open, observe } = pages;
          const parts = { world, redactor, serving, pages: open, observe, onHopeless };
          return pages.use(await openHeart(config, parts));
        },
        words: process.argv.slice(2).filter(word => word !== '--new-state'),
        supervisor: supervisorIn(environment),
        onStopAsked: purpose => {
          asked.purpose = purpose;
          context.end();
        },
      });
      onStarted();
      // A command that may not ask over the socket asks so.
      process.once('SIGUSR2', () => {
        asked.purpose = 'restart';
        context.end();
      });
      await announce(gateway, context);
      await aborted(signal);
      log.info({ reason: String(signal.reason) }, 'gateway stops');
      await gateway.stop();
    } finally {
      await installation.close();
    }
    if (asked.failure) throw asked.failure;
    log.info('gateway has stopped');
    return { event: 'stopped', reason: String(signal.reason), wantsRestart: asked.purpose === 'restart' };
  } catch (error) {
    log.fatal({ err: error }, 'gateway ends');
    throw error;
  } finally {
    close();
  }
}

/** A log that cannot be opened is said, and costs nothing else. */
async function openLog(
  { clock, warn }: CommandContext,
  config: HermesConfig,
  redact: (text: string) => string,
): Promise<GatewayLog> {
  const [{ openGatewayLog }, { platformNames }] = await Promise.all([
    import('../../../gateway/process/gateway-log.ts'),
    import('../../../platforms/index.generated.ts'),
  ]);
  const plugins = config.get('gateway.plugins').map(({ name }) => name);
  const platforms = [...platformNames, ...plugins];
  const { home } = config.paths;
  const opened = openGatewayLog({ home, config, clock, redact, instead: warn, platforms });
  if (opened.problem !== undefined) warn(opened.problem);
  return opened;
}

/** A pull may take longer than anything else of a start. */
function progressTo({ note }: CommandContext, log: Log): (text: string) => void {
  return text => {
    note(text);
    log.info(text);
  };
}

interface OpenStateOptions {
  readonly log: Log;
  readonly redactor: Redactor;
  readonly mayBeNew: boolean;
}

/** Reports a fault of the store in the log and on the terminal. Until `onStarted` a stop does not wait for it. */
async function openState(
  context: CommandContext,
  config: HermesConfig,
  options: OpenStateOptions,
): Promise<{ readonly installation: Installation; readonly onStarted: () => void }> {
  const { environment, signal, warn } = context;
  const { openInstallation } = await import('../../../compose.ts');
  const installation = await openInstallation(config, environment, {
    ...{ ...options, role: 'gateway', signal, progress: progressTo(context, options.log) },
    onTrouble: text => {
      options.log.warn(text);
      warn(text);
    },
  });
  const leave = (): void => installation.world.store.failFast();
  signal.addEventListener('abort', leave, { once: true });
  return { installation, onStarted: () => signal.removeEventListener('abort', leave) };
}

async function announce(gateway: RunningGateway, { warn, tell, terminal }: CommandContext): Promise<void> {
  const { notes, greeting, login } = gateway;
  const ready: Ready = {
    ...{ event: 'ready', status: await gateway.status(), notes, greeting },
    ...(login ? { login } : {}),
  };
  for (const text of gateway.warnings) warn(text);
  tell({ text: readyText(ready, terminal().look), data: ready });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** What they tell the programs that they start. */
function supervisorIn(environment: CommandContext['environment']): GatewayStatus['supervisor'] {
  if (environment['INVOCATION_ID'] && environment['SYSTEMD_EXEC_PID'] === String(process.pid))
    return 'systemd';
  return environment['XPC_SERVICE_NAME']?.includes('hermes') ? 'launchd' : 'none';
}
