// What a sandbox of a policy is made of, for commands that make one to try it.
import type { Capabilities, SandboxSpec } from '../../backends/backend.ts';
import type { HermesConfig } from '../../compose.ts';
import { checkSpec } from '../../sandboxes/check-spec.ts';
import type { SandboxPolicy } from '../../sessions/policy.ts';
import { specOf } from '../../sessions/spec.ts';

/** All but whose it is. Throws USAGE_BAD_ARGUMENTS for what the backend cannot give, as making one would. */
export function policySpec(
  policy: SandboxPolicy,
  config: HermesConfig,
  capabilities: Capabilities,
): Partial<SandboxSpec> {
  const whole = specOf(policy, { id: 'trial', installation: 'trial', variable: config.variable });
  checkSpec(policy.backend.value, capabilities, whole);
  const { id: _id, installation: _installation, ...spec } = whole;
  return spec;
}
