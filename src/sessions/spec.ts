// From the decision about a sandbox to what a driver is asked for.
import type { Mount, SandboxSpec } from '../backends/backend.ts';
import type { SandboxPolicy } from './policy.ts';

export interface SpecParts {
  readonly id: string;
  readonly installation: string;
  readonly session?: string;
  readonly variable: (name: string) => string | undefined;
}

export function specOf(policy: SandboxPolicy, { variable, ...rest }: SpecParts): SandboxSpec {
  const { image, network, limits, mounts, persistent, lifetimeSeconds } = policy;
  return {
    ...rest,
    ...(image.value === null ? {} : { image: image.value }),
    network: network.value,
    limits: limits.value,
    mounts: mounts.value.map(mountOf),
    env: valuesOf(policy, variable),
    persistent: persistent.value,
    idleSeconds: lifetimeSeconds.value,
  };
}

/** The values of the forwarded variables as they are now; one that is not set is not forwarded. */
export function valuesOf(policy: SandboxPolicy, variable: SpecParts['variable']): Record<string, string> {
  const pairs = policy.env.value.map(name => [name, variable(name)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

/** `/host:/inside` with `:ro` or `:rw`; the setting lets nothing else through. */
function mountOf(volume: string): Mount {
  const [source = '', target = '', mode] = volume.split(':');
  return { source, target, readOnly: mode === 'ro' };
}
