// The policy of a session in this installation, as it is decided now.
import type { Additions } from '../backends/backend.ts';
import { HermesError } from '../base/errors.ts';
import { resolveSandboxPolicy, type SandboxPolicy } from './policy.ts';
import type { SessionTraits } from './policy-input.ts';
import type { SandboxWorld } from './world.ts';

export async function decide({ store, config, facts }: SandboxWorld, traits: SessionTraits) {
  const { backend: recorded } = await store.installation.read();
  return resolveSandboxPolicy(config, traits, { backends: facts, recorded });
}

/** Throws UNAVAILABLE_BACKEND when there is none. */
export async function decidedPolicy(world: SandboxWorld, traits: SessionTraits): Promise<SandboxPolicy> {
  const decision = await decide(world, traits);
  if (decision.kind === 'decided') return withAdditions(world, traits, decision.policy);
  const [reason, fix] =
    decision.kind === 'refused'
      ? [decision.reason, decision.fix]
      : [
          'No backend has been chosen for this installation yet.',
          'Start the gateway, or set gateway.terminal_backend.',
        ];
  throw new HermesError('UNAVAILABLE_BACKEND', `${reason} ${fix}`);
}

/** Sessions of the CLI have what the settings of the backend itself add: folders of the host, values of variables. */
async function withAdditions(
  world: SandboxWorld,
  traits: SessionTraits,
  policy: SandboxPolicy,
): Promise<SandboxPolicy> {
  if (traits.kind !== 'cli') return policy;
  const added: Additions | undefined = (await world.backend(policy.backend.value)).additions?.();
  if (!added) return policy;
  const volumes = added.mounts.map(
    ({ source, target, readOnly }) => `${source}:${target}:${readOnly ? 'ro' : 'rw'}`,
  );
  return {
    ...policy,
    mounts: { ...policy.mounts, value: volumes },
    env: { ...policy.env, value: Object.keys(added.env) },
  };
}
