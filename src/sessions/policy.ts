// The one decision about where a session's commands run and what they may reach (P2). Pure and total: the same for the
// gateway, for `explain` and for the tests; what cannot be granted is refused, never weakened.
import { createHash } from 'node:crypto';
import type { BackendFacts, Isolation, Limits, Network } from '../backends/backend.ts';
import type { ConfigEntry } from '../config/config.ts';
import { describeOrigin } from '../config/origin.ts';
import { chooseBackend, isIsolated } from './choose-backend.ts';
import type {
  Decided,
  NoDecision,
  PolicyConfig,
  PolicySettings,
  PolicyWorld,
  Refusal,
  SessionTraits,
} from './policy-input.ts';

export interface SandboxPolicy {
  readonly backend: Decided<string>;
  readonly isolation: Isolation;
  /** Null where the backend knows no images. */
  readonly image: Decided<string | null>;
  readonly network: Decided<Network>;
  readonly limits: Decided<Limits>;
  readonly mounts: Decided<readonly string[]>;
  /** Names only; the values are looked up when the sandbox is made (P7). */
  readonly env: Decided<readonly string[]>;
  readonly lifetimeSeconds: Decided<number>;
  readonly retentionSeconds: Decided<number>;
  /** Whether its files outlive idleness. */
  readonly persistent: Decided<boolean>;
  readonly persistentShell: Decided<boolean>;
  readonly timeoutSeconds: Decided<number>;
  /** Whether sudo is given the password of the settings; only where nothing is contained. Absent in what older versions wrote. */
  readonly sudo: Decided<boolean>;
}

export type PolicyDecision = { readonly kind: 'decided'; readonly policy: SandboxPolicy } | NoDecision;

/** What every sandbox is promised. */
const PROCESSES = 256;

export function resolveSandboxPolicy(
  config: PolicyConfig,
  session: SessionTraits,
  world: PolicyWorld,
): PolicyDecision {
  const choice = chooseBackend(config, session, world);
  if (choice.kind !== 'chosen') return choice;
  const { backend, facts } = choice;
  const network = decideNetwork(config, session, facts, backend.value);
  if ('kind' in network) return network;
  const decided = <K extends keyof PolicySettings & string>(key: K) => ({
    value: config.get(key),
    origin: originOf(config, key),
  });
  const isMessaging = session.kind === 'messaging';
  const { capabilities } = facts;
  return {
    kind: 'decided',
    policy: {
      backend,
      isolation: capabilities.isolation,
      image: decideImage(config, session, facts),
      network,
      limits: {
        value: {
          cpus: config.get('terminal.container_cpu'),
          memoryMiB: config.get('terminal.container_memory'),
          diskMiB: config.get('terminal.container_disk'),
          processes: PROCESSES,
        },
        origin: limitsOrigin(config),
      },
      mounts: isMessaging ? decided('gateway.sandbox_volumes') : NOTHING_OF_OURS,
      env: isMessaging ? decided('gateway.sandbox_forward_env') : NOTHING_OF_OURS,
      lifetimeSeconds: decided(isMessaging ? 'gateway.sandbox_lifetime' : 'terminal.lifetime_seconds'),
      retentionSeconds: decided('gateway.sandbox_retention'),
      persistent: capabilities.suspend
        ? decided('terminal.container_persistent')
        : { value: false, origin: `the backend ${backend.value} cannot be suspended` },
      persistentShell: decideShell(config, facts),
      timeoutSeconds: decided('terminal.timeout'),
      sudo: decideSudo(config, session, capabilities.isolation),
    },
  };
}

function decideSudo(config: PolicyConfig, { kind }: SessionTraits, isolation: Isolation): Decided<boolean> {
  if (isIsolated(isolation)) return { value: false, origin: 'sandboxes have rules of their own' };
  const key = 'terminal.sudo_password';
  if (config.get(key) === undefined) return { value: false, origin: `${key} is not set` };
  if (kind === 'cli') return { value: true, origin: originOf(config, key) };
  const messaging = 'gateway.sandbox_sudo';
  return { value: config.get(messaging), origin: originOf(config, messaging) };
}

/** What the settings of the backend itself add to CLI sessions is its driver's to say. */
const NOTHING_OF_OURS: Decided<readonly string[]> = { value: [], origin: 'the backend’s own settings' };

/** The parts that a sandbox is made of; a change of any other needs no new one. */
export const SHAPING_PARTS = [
  'backend',
  'image',
  'network',
  'limits',
  'mounts',
  'env',
  'persistent',
] as const satisfies readonly (keyof SandboxPolicy)[];

/** Changes exactly when the sandbox would have to be made anew. */
export function policyHash(policy: SandboxPolicy): string {
  const shape = SHAPING_PARTS.map(part => policy[part].value);
  return createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 16);
}

function decideNetwork(
  config: PolicyConfig,
  session: SessionTraits,
  { capabilities, networkSetting }: BackendFacts,
  name: string,
): Decided<Network> | Refusal {
  const { networks, isolation } = capabilities;
  const { isWritten, ...wanted } = wantedNetwork(config, session, networkSetting);
  if (networks.includes(wanted.value)) return wanted;
  // Where nothing is contained anyway, nobody was promised a closed network unless they wrote it.
  if (wanted.value === 'none' && !isIsolated(isolation) && !isWritten) {
    return { value: 'open', origin: `the backend ${name} cannot close it` };
  }
  return {
    kind: 'refused',
    reason: `The network is to be ${wanted.value} (${wanted.origin}), and the backend ${name} cannot make it so.`,
    fix: `Choose another backend, or set gateway.sandbox_network: ${networks.join(' or ')}.`,
  };
}

function wantedNetwork(
  config: PolicyConfig,
  session: SessionTraits,
  setting: string | undefined,
): Decided<Network> & { readonly isWritten: boolean } {
  if (session.network)
    return { value: session.network, origin: 'switched for this session', isWritten: true };
  if (session.kind === 'messaging') {
    const key = 'gateway.sandbox_network';
    const isWritten = config.origin(key).from !== 'default';
    return { value: config.get(key), origin: originOf(config, key), isWritten };
  }
  const entry = entryOf(config, setting);
  const value = entry?.value === 'none' ? 'none' : 'open';
  return { value, origin: entryOrigin(entry), isWritten: false };
}

function decideImage(
  config: PolicyConfig,
  session: SessionTraits,
  { capabilities, imageSetting }: BackendFacts,
): Decided<string | null> {
  if (!capabilities.images) return { value: null, origin: 'the backend knows no images' };
  const own = session.kind === 'messaging' ? config.get('gateway.sandbox_image') : undefined;
  if (own !== undefined) return { value: own, origin: originOf(config, 'gateway.sandbox_image') };
  const entry = entryOf(config, imageSetting);
  return { value: typeof entry?.value === 'string' ? entry.value : null, origin: entryOrigin(entry) };
}

function decideShell(config: PolicyConfig, { shellSetting }: BackendFacts): Decided<boolean> {
  const entry = entryOf(config, shellSetting);
  if (typeof entry?.value === 'boolean') return { value: entry.value, origin: entryOrigin(entry) };
  const key = 'terminal.persistent_shell';
  return { value: config.get(key), origin: originOf(config, key) };
}

function limitsOrigin(config: PolicyConfig): string {
  const keys = ['terminal.container_cpu', 'terminal.container_memory', 'terminal.container_disk'] as const;
  const origins = keys.map(key => config.origin(key));
  if (origins.every(({ from }) => from === 'default')) return `${keys.join(', ')}, all default`;
  return keys.map(key => originOf(config, key)).join('; ');
}

/** The setting, and where its value comes from. */
function originOf(config: PolicyConfig, key: keyof PolicySettings & string): string {
  return `${key}, ${describeOrigin(config.origin(key))}`;
}

function entryOrigin(entry: ConfigEntry | undefined): string {
  return entry ? `${entry.key}, ${describeOrigin(entry.origin)}` : 'default';
}

function entryOf(config: PolicyConfig, key: string | undefined): ConfigEntry | undefined {
  return key === undefined ? undefined : config.entries().find(entry => entry.key === key);
}
