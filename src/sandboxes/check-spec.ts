// What is asked of a sandbox and its backend cannot give is refused before anything is made: nothing is left out silently.
import type { Capabilities, SandboxSpec } from '../backends/backend.ts';
import { HermesError } from '../base/errors.ts';

/** Throws USAGE_BAD_ARGUMENTS with all that does not fit. */
export function checkSpec(
  backend: string,
  { images, mounts, networks }: Capabilities,
  spec: SandboxSpec,
): void {
  const problems: string[] = [];
  if (spec.image !== undefined && !images) problems.push('it has no images');
  if (spec.mounts.length > 0 && !mounts) problems.push('it cannot mount folders');
  if (spec.network !== undefined && !networks.includes(spec.network)) {
    problems.push(`its network is ${networks.join(' or ')}, not ${spec.network}`);
  }
  for (const [name, value] of Object.entries(spec.env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      problems.push(`${JSON.stringify(name)} is no name for a variable`);
    if (value.includes('\0')) problems.push(`the variable ${name} contains a NUL byte`);
  }
  if (problems.length === 0) return;
  const message = `The backend ${backend} cannot make this sandbox: ${problems.join('; ')}. Nothing was made.`;
  throw new HermesError('USAGE_BAD_ARGUMENTS', message, { details: { backend, problems } });
}
