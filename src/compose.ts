// The composition root: the only file that knows every part.
import { tmpdir } from 'node:os';
import { section as agent } from './agent/settings.ts';
import { section as approvals } from './approvals/settings.ts';
import type {
  Additions,
  Backend,
  DriverContext,
  Limits,
  Mount,
  Network,
  Sandbox,
} from './backends/backend.ts';
import { backendDrivers, backendFacts, backendSections } from './backends/index.generated.ts';
import { section as terminal } from './backends/settings.ts';
import { systemClock } from './base/clock.ts';
import { HermesError } from './base/errors.ts';
import { newId } from './base/ids.ts';
import type { Log } from './base/log.ts';
import type { Redactor } from './base/redact/redactor.ts';
import { section as security } from './base/redact/settings.ts';
import type { Config, SettingsOf } from './config/config.ts';
import type { Environment } from './config/environment.ts';
import { knownSecrets } from './config/known-secrets.ts';
import { loadConfig } from './config/load.ts';
import { nearestName } from './config/nearest.ts';
import type { FlagValue } from './config/resolve.ts';
import { section as executeCode } from './execute-code/settings.ts';
import { section as gatewayProcess } from './gateway/process/settings.ts';
import { section as gateway } from './gateway/settings.ts';
import { platformSections } from './platforms/index.generated.ts';
import { variablePrefix } from './platforms/plugin.ts';
import { providerSections } from './providers/index.generated.ts';
import { section as model } from './providers/settings.ts';
import type { Finding } from './risk/finding.ts';
import { checkSpec } from './sandboxes/check-spec.ts';
import { SandboxHandle } from './sandboxes/handle.ts';
import { section as securityAudit } from './security/settings.ts';
import { section as sessions } from './sessions/settings.ts';
import type { SandboxWorld } from './sessions/world.ts';
import type { Store } from './store/store.ts';

export const sections = [
  terminal,
  ...backendSections,
  sessions,
  gateway,
  gatewayProcess,
  approvals,
  security,
  securityAudit,
  executeCode,
  agent,
  model,
  ...providerSections,
  ...platformSections,
] as const;

export type HermesConfig = Config<SettingsOf<typeof sections>>;

export function loadHermesConfig(
  environment: Environment,
  flags: Readonly<Record<string, FlagValue>> = {},
): Promise<HermesConfig> {
  return loadConfig({ sections, environment, flags });
}

/** The backends that can be made, whether they work here or not. */
export const driverNames: readonly string[] = Object.keys(backendDrivers);

/** The driver of that name. Throws UNAVAILABLE_BACKEND when there is none. */
export async function createBackend(
  name: string,
  config: HermesConfig,
  { environment, progress = () => {} }: { environment: Environment; progress?: (text: string) => void },
): Promise<Backend> {
  const drivers: Readonly<Record<string, (typeof backendDrivers)[keyof typeof backendDrivers]>> =
    backendDrivers;
  const load = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (load) {
    const context: DriverContext = {
      environment,
      cwd: process.cwd(),
      tmpDir: tmpdir(),
      home: config.paths.home,
      variable: config.variable,
      progress,
      clock: systemClock,
    };
    return (await load()).createBackend(config, context);
  }
  const nearest = nearestName(name, Object.keys(drivers));
  const known = Object.keys(drivers).join(', ');
  const message = `There is no backend ${name}. Known: ${known}.${nearest ? ` Did you mean ${nearest}?` : ''}`;
  throw new HermesError('UNAVAILABLE_BACKEND', message, { details: { backend: name } });
}

export interface OpenSandboxOptions {
  /** One of the backends of the configuration, such as `local` or `docker`. */
  readonly backend: string;
  readonly image?: string;
  readonly network?: Network;
  readonly limits?: Limits;
  readonly mounts?: readonly Mount[];
  /** Where commands start; absent = the backend's own default. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its files outlive a suspension. */
  readonly persistent?: boolean;
  /** Cancels the making of it. */
  readonly signal?: AbortSignal;
  /** Hears how long steps go on, such as the pull of an image. */
  readonly progress?: (text: string) => void;
}

/** Whose a sandbox is: what its label says, and what is to be done once it is destroyed. */
export interface SandboxOwner {
  readonly id: string;
  readonly installation: string;
  readonly onDestroyed?: () => Promise<void>;
}

/**
 * Makes a sandbox of that backend and proves that commands can run in it; if not, nothing of it is left. Without an owner
 * it needs no state, and nobody but the caller knows of it.
 */
export async function openSandboxWith(
  config: HermesConfig,
  environment: Environment,
  options: OpenSandboxOptions,
  { onDestroyed, ...owner }: SandboxOwner = { id: newId(), installation: 'api' },
): Promise<SandboxHandle> {
  const {
    backend: name,
    signal,
    progress,
    limits = {},
    mounts = [],
    env = {},
    persistent = false,
    ...rest
  } = options;
  signal?.throwIfAborted();
  const backend = await createBackend(name, config, { environment, ...(progress ? { progress } : {}) });
  let sandbox: Sandbox | undefined;
  try {
    const wanted = withAdditions({ mounts, env }, backend.additions?.());
    const spec = { ...owner, limits, persistent, ...rest, ...wanted };
    checkSpec(name, backend.capabilities, spec);
    sandbox = await backend.create(spec, signal ? { signal } : {});
    return await SandboxHandle.open({
      sandbox,
      clock: systemClock,
      timeoutMs: config.get('terminal.timeout') * 1000,
      ...(isOpen(backend) ? { sudoPassword: () => config.get('terminal.sudo_password') } : {}),
      onDestroyed: async () => {
        await backend.close();
        await onDestroyed?.();
      },
    });
  } catch (error) {
    await sandbox?.destroy();
    await backend.close();
    throw error;
  }
}

/** The values that must not get out, whatever the settings say (P7). */
export function secretsOf(config: HermesConfig): string[] {
  const forwarded = [
    ...config.get('gateway.sandbox_forward_env'),
    ...config.get('terminal.docker_forward_env'),
    ...config.get('terminal.env_passthrough'),
    config.get('model.api_key_env'),
  ].filter(name => name !== undefined);
  return [...knownSecrets(config, forwarded), ...pluginSecrets(config)];
}

/** Everything that a plugin is given, but for who may speak. */
function pluginSecrets(config: HermesConfig): string[] {
  return config
    .get('gateway.plugins')
    .flatMap(({ name }) => Object.entries(config.variables(variablePrefix(name))))
    .flatMap(([name, value]) => (/_(?:ALLOWED_USERS|ALLOW_ALL_USERS)$/.test(name) ? [] : [value]));
}

/** What everything passes through that leaves this installation (P7). `bytes`: see the redactor's own options. */
export async function redactorOf(
  config: HermesConfig,
  { input = 'text' }: { input?: 'text' | 'bytes' } = {},
): Promise<Redactor> {
  const { createRedactor } = await import('./base/redact/redactor.ts');
  const shapes = config.get('security.redact_secrets') ? 'on' : 'off';
  return createRedactor({ secrets: secretsOf(config), shapes, input });
}

export interface Installation {
  readonly world: SandboxWorld;
  close(): Promise<void>;
}

export interface InstallationOptions {
  readonly role: 'gateway' | 'cli';
  readonly log: Log;
  readonly progress?: (text: string) => void;
  /** The one that the log has too; absent = made here. */
  readonly redactor?: Redactor;
  /** Of a gateway: a store that fails for a while is waited for, and this is called with what to say about that. */
  readonly onTrouble?: (text: string) => void;
  /** Ends the waiting for a store that cannot be opened yet. */
  readonly signal?: AbortSignal;
  /** A home that had a state and has none any more begins with a new one; absent = it is refused. */
  readonly mayBeNew?: boolean;
}

/** The state and the drivers of this installation, for a gateway or for a command beside it. */
export async function openInstallation(
  config: HermesConfig,
  environment: Environment,
  { role, log, progress, redactor, onTrouble, signal, mayBeNew = false }: InstallationOptions,
): Promise<Installation> {
  const [{ openStore }, { refuseLostState, markedId, markInstallation }] = await Promise.all([
    import('./store/open.ts'),
    import('./store/lost-state.ts'),
  ]);
  const { redact } = redactor ?? (await redactorOf(config));
  const { home } = config.paths;
  if (!mayBeNew) await refuseLostState(home);
  const store = onTrouble
    ? await openPatiently(home, { redact, onTrouble, signal })
    : await openStore(home, { examine: role === 'gateway' ? 'whole' : 'head', redact });
  // A new state goes on under the old id, so that the sandboxes of the old one are found and removed.
  const { id: installation } = await store.installation.read(await markedId(home));
  await markInstallation(home, installation);
  const drivers = new Map<string, Promise<Backend>>();
  const backend = (name: string): Promise<Backend> => {
    const made =
      drivers.get(name) ?? createBackend(name, config, { environment, ...(progress ? { progress } : {}) });
    drivers.set(name, made);
    return made;
  };
  const holder = `${role}-${newId()}`;
  return {
    world: {
      store,
      installation,
      config,
      facts: backendFacts,
      backend,
      clock: systemClock,
      log,
      holder,
      redact,
    },
    async close() {
      const made = await Promise.allSettled(drivers.values());
      await Promise.all(made.map(each => (each.status === 'fulfilled' ? each.value.close() : undefined)));
      await store.close();
    },
  };
}

interface OpenPatientlyOptions {
  readonly redact: (text: string) => string;
  readonly onTrouble: (text: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** The store of a gateway: a fault of it that passes costs time, at the start and later. */
async function openPatiently(
  home: string,
  { redact, onTrouble, signal }: OpenPatientlyOptions,
): Promise<Store> {
  const [{ openStore }, { openSoon }] = await Promise.all([
    import('./store/open.ts'),
    import('./store/open-soon.ts'),
  ]);
  const patience = {
    onFailing: ({ message }: Error) =>
      onTrouble(`${message} The gateway goes on as soon as the state can be written again; nothing is lost.`),
    onWorking: (afterMs: number) =>
      onTrouble(`The state can be written again, after ${Math.ceil(afterMs / 1000)} s.`),
  };
  return openSoon(() => openStore(home, { redact, patience }), {
    ...{ clock: systemClock, signal },
    onWaiting: ({ message }, mostMs) =>
      onTrouble(`${message} Waiting for that for up to ${mostMs / 1000} s before the start.`),
  });
}

/** Where nothing is contained, what the settings say of sudo counts. */
function isOpen({ capabilities }: Backend): boolean {
  return capabilities.isolation === 'none' || capabilities.isolation === 'remote';
}

/** What the caller asks for stands above what the settings add. */
function withAdditions({ mounts, env }: Additions, added: Additions = { mounts: [], env: {} }): Additions {
  const taken = new Set(mounts.map(({ target }) => target));
  return {
    mounts: [...added.mounts.filter(({ target }) => !taken.has(target)), ...mounts],
    env: { ...added.env, ...env },
  };
}

/** Adds what "always" means for a command to the allowlist of config.yaml; returns the entries. Whoever loads it next has them. */
export async function allowCommand(
  config: HermesConfig,
  command: string,
  findings: readonly Finding[],
): Promise<readonly string[]> {
  const [{ addToList }, { entriesFor }] = await Promise.all([
    import('./config/save.ts'),
    import('./risk/learn.ts'),
  ]);
  const entries = entriesFor(command, findings);
  for (const entry of entries)
    await addToList('command_allowlist', entry, { paths: config.paths, clock: systemClock });
  return entries;
}
