// Gathers what the audit looks at: settings, files, people, and what the engine tells within a moment.

import { realpath, stat } from 'node:fs/promises';
import type { Backend, Inspection } from '../../../backends/backend.ts';
import { dangerOf, parseVolume } from '../../../backends/docker/volumes.ts';
import { backendFacts } from '../../../backends/index.generated.ts';
import type { Clock } from '../../../base/clock.ts';
import { HermesError, isHermesError, systemErrorCode } from '../../../base/errors.ts';
import { ifThere } from '../../../base/if-there.ts';
import { inContainer } from '../../../base/in-container.ts';
import { looksLikeSecretName } from '../../../base/redact/secret-name.ts';
import type { HermesConfig } from '../../../compose.ts';
import type { AuditFacts } from '../../../security/facts.ts';
import { lookAtHome } from '../../../security/home-files.ts';
import { resolveSandboxPolicy, type SandboxPolicy } from '../../../sessions/policy.ts';
import { listBackups } from '../../../store/backup/list.ts';
import type { Store } from '../../../store/store.ts';
import type { CommandContext } from '../../command.ts';
import { openPlatforms } from '../platforms.ts';
import { writtenSecrets } from './written-secrets.ts';

export interface Gathered {
  readonly facts: AuditFacts;
  /** What could not be looked at. */
  readonly notes: readonly string[];
}

export interface Known {
  readonly config: HermesConfig;
  /** Absent where there is no state yet. */
  readonly store: Store | undefined;
  readonly gateway: 'running' | 'none';
}

/** An audit is to be over within two seconds, whatever an engine does. */
const ENGINE_MS = 1200;

export async function gatherFacts(known: Known, context: CommandContext): Promise<Gathered> {
  const { config, store, gateway } = known;
  const { home } = config.paths;
  const installation = await store?.installation.read();
  const decision = resolveSandboxPolicy(
    config,
    { kind: 'messaging' },
    { backends: backendFacts, recorded: installation?.backend ?? null },
  );
  const policy = decision.kind === 'decided' ? decision.policy : null;
  const uid = await userOf(gateway === 'running' ? installation?.gateway?.pid : undefined);
  const [engine, files, platforms, people, backups, mounts, secrets] = await Promise.all([
    inspected(policy, config, context),
    lookAtHome(home, uid),
    platformsOf(config, context),
    store?.people.list() ?? [],
    listBackups(home),
    mountsOf(config, context),
    writtenSecrets(config),
  ]);
  const facts: AuditFacts = {
    ...{ now: context.clock.now(), config, policy, mounts, uid, ...files, ...secrets },
    isDisposable: isDisposable(policy, config),
    forwardedSecrets: config.get('gateway.sandbox_forward_env').filter(looksLikeSecretName),
    platforms: platforms.made,
    owners: people.filter(({ role, standing }) => role === 'owner' && standing === 'allowed').length,
    programs: [{ name: 'node', version: process.versions.node }, ...(engine.told?.programs ?? [])],
    limits: engine.told?.limits ?? null,
    reach: engine.told?.reach ?? null,
    refusesSetId: engine.told?.refusesSetId ?? null,
    inContainer: inContainer(),
    hasState: store !== undefined,
    newestBackup: backups.find(({ contents }) => contents !== null)?.madeAt ?? null,
  };
  return { facts, notes: [...engine.notes, ...platforms.notes] };
}

async function platformsOf(config: HermesConfig, context: CommandContext) {
  try {
    const made = await openPlatforms(config, context);
    const shown = made.map(({ name, capabilities: { isPublic } }) => ({ name, isPublic }));
    return { made: shown, notes: [] };
  } catch (error) {
    if (!isHermesError(error, 'CONFIG_INVALID')) throw error;
    return { made: [], notes: [`Platforms were not looked at: ${error.message}`] };
  }
}

/** Of the running gateway, else of this process. */
async function userOf(pid: number | undefined): Promise<number | undefined> {
  const own = process.getuid?.();
  if (pid === undefined) return own;
  return (await ifThere(stat(`/proc/${pid}`)))?.uid ?? own;
}

function isDisposable(policy: SandboxPolicy | null, config: HermesConfig): boolean {
  const facts: Readonly<Record<string, { readonly disposableSetting?: string }>> = backendFacts;
  const key = facts[policy?.backend.value ?? '']?.disposableSetting;
  return config.entries().find(entry => entry.key === key)?.value === true;
}

interface Inspected {
  readonly told?: Inspection;
  readonly notes: readonly string[];
}

async function inspected(
  policy: SandboxPolicy | null,
  config: HermesConfig,
  { environment, clock }: CommandContext,
): Promise<Inspected> {
  if (!policy) {
    return { notes: ['No backend is chosen yet; its programs and limits were not looked at.'] };
  }
  const name = policy.backend.value;
  const { createBackend } = await import('../../../compose.ts');
  let backend: Backend | undefined;
  try {
    backend = await createBackend(name, config, { environment });
    const told = await soon(backend, clock);
    return { ...(told ? { told } : {}), notes: [] };
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return { notes: [`${name} could not be asked about its programs and limits: ${error.message}`] };
  } finally {
    await backend?.close();
  }
}

async function soon(backend: Backend, clock: Clock): Promise<Inspection | undefined> {
  const late = Promise.withResolvers<never>();
  const message = `it has not answered for ${ENGINE_MS / 1000} s`;
  const timer = clock.after(ENGINE_MS, () => late.reject(new HermesError('UNAVAILABLE_BACKEND', message)));
  try {
    return await Promise.race([backend.inspect?.(), late.promise]);
  } finally {
    timer.cancel();
  }
}

async function mountsOf(
  config: HermesConfig,
  { environment }: CommandContext,
): Promise<AuditFacts['mounts']> {
  const userHome = environment['HOME'];
  const places = { userHome, hermesHome: config.paths.home, engineSocket: '/var/run/docker.sock' };
  return Promise.all(
    config.get('gateway.sandbox_volumes').map(async volume => {
      const { source, readOnly } = parseVolume(volume, userHome);
      const danger = dangerOf(await realOf(source), places);
      return { volume, readOnly, ...(danger === undefined ? {} : { danger }) };
    }),
  );
}

/** A harmless name may stand for another place. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return path;
  }
}
