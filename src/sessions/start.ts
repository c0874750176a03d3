// What a gateway finds out and says before it serves anybody: where messaging sessions will run, and what that means.
import { docsPath } from '../base/docs-path.ts';
import { HermesError } from '../base/errors.ts';
import { looksLikeSecretName } from '../base/redact/secret-name.ts';
import { describeOrigin } from '../config/origin.ts';
import { chooseAuto, requireBackend } from './auto.ts';
import { resolveSandboxPolicy, type SandboxPolicy } from './policy.ts';
import { requireSandbox } from './trial.ts';
import type { SandboxWorld } from './world.ts';

export interface Start {
  readonly policy: SandboxPolicy;
  /** To stderr, to the log, and repeated by every status. */
  readonly warnings: readonly string[];
  /** To the log, once. */
  readonly notes: readonly string[];
}

export const LOCAL_WARNING = `⚠ Gateway is running with local terminal backend.
Commands from messaging platforms will execute on this machine.
Consider using a sandboxed backend: docker, daytona, or modal.
See: docs/security/gateway.md`;

/** The same of a sandbox that is there, where no gateway runs. */
export const LOCAL_SANDBOX = `⚠ A sandbox on the backend local exists.
Its commands run on this machine itself, and nothing contains them.`;

/** Settings that serve the CLI alone, and what messaging has instead. */
const CLI_ONLY = {
  'terminal.docker_volumes': 'gateway.sandbox_volumes',
  'terminal.docker_mount_cwd_to_workspace': 'gateway.sandbox_volumes',
  'terminal.docker_forward_env': 'gateway.sandbox_forward_env',
} as const;

/** Throws UNAVAILABLE_BACKEND or CONFIG_INVALID: then the gateway does not start. */
export async function prepareStart(world: SandboxWorld, signal?: AbortSignal): Promise<Start> {
  const policy = await decided(world, signal);
  await requireBackend(world, policy.backend.value, policy.backend.origin);
  await requireSandbox(world, policy, signal);
  const warnings = [...startWarnings(policy), ...world.config.warnings];
  return { policy, warnings, notes: [overrideNote(policy), ...notApplied(world), ...pageOf(policy)] };
}

/** The warning keeps its words; where its page is on this machine is said beside it. */
function pageOf({ isolation }: SandboxPolicy): readonly string[] {
  return isolation === 'none' ? [`docs/security/gateway.md is here: ${docsPath('security/gateway.md')}`] : [];
}

/** What a start says aloud about where messaging sessions run, and every status repeats. */
export function startWarnings(policy: SandboxPolicy): readonly string[] {
  return [...warningsOf(policy), ...forwardedSecrets(policy)];
}

function warningsOf(policy: SandboxPolicy): readonly string[] {
  if (policy.isolation === 'none') return [LOCAL_WARNING];
  if (policy.isolation === 'remote') {
    return [
      `⚠ Messaging sessions run on another machine (${policy.backend.value}) without containment: whoever talks to the agent can do there what its user can.`,
    ];
  }
  return [];
}

/** A variable that looks like a secret is forwarded when somebody wrote so, and then said aloud (P7). */
export function forwardedSecrets({ env }: Pick<SandboxPolicy, 'env'>): string[] {
  const names = env.value.filter(looksLikeSecretName);
  if (names.length === 0) return [];
  return [
    `⚠ ${names.join(', ')} (${env.origin}) looks like a secret and reaches every command of messaging sessions: whoever talks to the agent can read it. Remove it from gateway.sandbox_forward_env unless that is wanted.`,
  ];
}

async function decided(world: SandboxWorld, signal?: AbortSignal): Promise<SandboxPolicy> {
  const decision = await decide(world);
  if (decision.kind === 'decided') return decision.policy;
  if (decision.kind === 'refused') {
    throw new HermesError('CONFIG_INVALID', `${decision.reason} ${decision.fix}`);
  }
  await chooseAuto(world, signal);
  const again = await decide(world);
  if (again.kind === 'decided') return again.policy;
  throw new HermesError('BUG_UNEXPECTED', 'The backend was chosen, and still none is decided.');
}

async function decide({ store, config, facts }: SandboxWorld) {
  const { backend: recorded } = await store.installation.read();
  return resolveSandboxPolicy(config, { kind: 'messaging' }, { backends: facts, recorded });
}

function overrideNote({ backend, image, network }: SandboxPolicy): string {
  const from = image.value === null ? '' : `, image ${image.value}`;
  return `Messaging sessions run on ${backend.value}${from}, network ${network.value} (${backend.origin}).`;
}

/** Settings that somebody has written and that messaging sessions do not follow. */
export function notApplied({ config }: Pick<SandboxWorld, 'config'>): string[] {
  return config.entries().flatMap(({ key, origin }) => {
    const instead = Object.hasOwn(CLI_ONLY, key) ? CLI_ONLY[key as keyof typeof CLI_ONLY] : undefined;
    if (instead === undefined || origin.from === 'default') return [];
    return [
      `${key} (${describeOrigin(origin)}) serves CLI sessions only and is not applied; messaging has ${instead}.`,
    ];
  });
}
