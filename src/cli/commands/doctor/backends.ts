// Each backend that is configured, by a real sandbox that is made with the very settings, runs a command and is removed.
import type { Backend, Problem, SandboxSpec } from '../../../backends/backend.ts';
import { backendFacts } from '../../../backends/index.generated.ts';
import { asHermesError, isHermesError } from '../../../base/errors.ts';
import type { HermesConfig } from '../../../compose.ts';
import type { Examination } from '../../../containment/examine.ts';
import type { CommandContext } from '../../command.ts';
import { chosenPolicy } from '../chosen-policy.ts';
import { policySpec } from '../policy-spec.ts';
import type { AreaReport, Found } from './area.ts';
import { inTime } from './bounded-area.ts';

/** An image may have to be fetched first. */
const LONGEST_MS = 300_000;

export interface CheckedBackends {
  readonly report: AreaReport;
  readonly backends: readonly Examination[];
}

interface Wanted {
  /** In the order in which they are tried; each once. */
  readonly names: readonly string[];
  /** Those of which one has to work, because `auto` takes the first that does. */
  readonly oneOf: readonly string[];
}

export async function checkBackends(
  config: HermesConfig,
  context: CommandContext,
  { which, onLate }: { readonly which: 'all' | 'configured'; readonly onLate: () => void },
): Promise<CheckedBackends> {
  const { driverNames } = await import('../../../compose.ts');
  const { names, oneOf } = wantedBackends(config, driverNames);
  const backends: Examination[] = [];
  for (const name of which === 'all' ? new Set([...names, ...driverNames]) : names) {
    context.note(`checking ${name}`);
    backends.push(await boundedTry(name, config, { context, onLate }));
  }
  const works = backends.filter(isWorking).map(({ backend }) => backend);
  // What auto passes over keeps nobody from working, nor does what nobody has asked for.
  const mayFail = (name: string): boolean =>
    !names.includes(name) || (oneOf.includes(name) && oneOf.some(each => works.includes(each)));
  const found = backends.flatMap(({ backend, problems }) =>
    problems.map(each => asFound(backend, each, mayFail(backend))),
  );
  const said =
    works.length === 0 ? 'none works' : `${works.join(', ')} ${works.length === 1 ? 'works' : 'work'}`;
  return { report: { area: 'backends', said, found }, backends };
}

/** Pure. Nothing chosen = `auto` for chats and `local` for the CLI, as the settings say. */
function wantedBackends(config: Pick<HermesConfig, 'get'>, drivers: readonly string[]): Wanted {
  const cli = config.get('terminal.backend') ?? 'local';
  const chats = config.get('gateway.terminal_backend') ?? config.get('terminal.backend') ?? 'auto';
  const isAuto = [chats, cli].includes('auto');
  const ranked = Object.entries(backendFacts)
    .flatMap(([name, facts]) => ('autoRank' in facts ? [{ name, rank: facts.autoRank }] : []))
    .filter(({ name }) => drivers.includes(name))
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
  const named = [chats, cli].filter(name => name !== 'auto');
  const oneOf = isAuto ? ranked.filter(name => !named.some(each => each === name)) : [];
  return { names: [...new Set([...oneOf, ...named])], oneOf };
}

function isWorking({ problems }: Examination): boolean {
  return problems.every(({ severity }) => severity === 'warning');
}

function asFound(backend: string, { message, fix, severity }: Problem, mayFail: boolean): Found {
  return { subject: backend, severity: mayFail ? 'warning' : (severity ?? 'error'), message, fix };
}

/** One that hangs or fails in a way that nobody foresaw hides none of the others. */
async function boundedTry(
  name: string,
  config: HermesConfig,
  { context, onLate }: { readonly context: CommandContext; readonly onLate: () => void },
): Promise<Examination> {
  const failed = (message: string): Examination => ({
    ...{ backend: name, isolation: 'none' },
    problems: [{ message, fix: `hermes sandbox verify ${name}; docs/backends/${name}.md has more.` }],
  });
  try {
    const look = (signal: AbortSignal) => tryBackend(name, config, { ...context, signal });
    const seen = await inTime(context, LONGEST_MS, look);
    if (seen !== 'late') return seen;
    onLate();
    return failed(`The check timed out after ${LONGEST_MS / 60_000} minutes.`);
  } catch (error) {
    context.signal.throwIfAborted();
    return failed(asHermesError(error).message);
  }
}

/** Makes a sandbox as chats get it, runs a command in it and removes it. */
export async function tryBackend(
  name: string,
  config: HermesConfig,
  context: CommandContext,
): Promise<Examination> {
  const [{ createBackend }, { asProblem, examineBackend }] = await Promise.all([
    import('../../../compose.ts'),
    import('../../../containment/examine.ts'),
  ]);
  try {
    const backend = await createBackend(name, config, {
      environment: context.environment,
      progress: context.note,
    });
    const { clock, signal } = context;
    const spec = await trialSpec(backend, config, context);
    return await examineBackend({ backend, spec, clock, signal });
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return { backend: name, isolation: 'none', problems: [asProblem(error)] };
  }
}

/** As messaging sessions get it; one that serves the CLI only need not hold what those are promised. */
async function trialSpec(
  { name, capabilities }: Backend,
  config: HermesConfig,
  context: CommandContext,
): Promise<Partial<SandboxSpec>> {
  const told = { flag: 'hermes doctor', text: name };
  const messaging = await context.config({ 'gateway.terminal_backend': told });
  try {
    return policySpec(await chosenPolicy(messaging, 'messaging', context), messaging, capabilities);
  } catch (error) {
    const serves = config.get('gateway.terminal_backend') ?? config.get('terminal.backend');
    if (serves === name || !isHermesError(error)) throw error;
    const cli = await context.config({ 'terminal.backend': told });
    return policySpec(await chosenPolicy(cli, 'cli', context), cli, capabilities);
  }
}
