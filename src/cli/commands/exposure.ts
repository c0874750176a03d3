// What commands of a session could hurt outside its sandbox, by the configuration alone.
import { backendFacts } from '../../backends/index.generated.ts';
import { HermesError } from '../../base/errors.ts';
import type { HermesConfig } from '../../compose.ts';
import { type Exposure, exposureOf, NO_EXPOSURE } from '../../risk/exposure.ts';
import { isDisposable } from '../../sessions/disposable.ts';
import { resolveSandboxPolicy } from '../../sessions/policy.ts';
import type { PolicyWorld, SessionTraits } from '../../sessions/policy-input.ts';

/** As long as `auto` is open, as on the first that it would try. Throws CONFIG_INVALID where nothing would run. */
export function exposureFor(
  config: HermesConfig,
  session: SessionTraits,
  recorded: PolicyWorld['recorded'],
): Exposure {
  const decideWith = (chosen: PolicyWorld['recorded']) =>
    resolveSandboxPolicy(config, session, { backends: backendFacts, recorded: chosen });
  let decision = decideWith(recorded);
  if (decision.kind === 'undecided') {
    const [name] = decision.among;
    if (name === undefined) return NO_EXPOSURE;
    decision = decideWith({ name, chosenAt: 0 });
  }
  if (decision.kind === 'refused') {
    throw new HermesError('CONFIG_INVALID', `${decision.reason} ${decision.fix}`);
  }
  if (decision.kind === 'undecided') return NO_EXPOSURE;
  const { policy } = decision;
  return exposureOf(policy, { isDisposable: isDisposable(config, backendFacts, policy.backend.value) });
}
