// What the system prompt of a run is made from: the decision about its sandbox as it is now.
import { isHermesError } from '../base/errors.ts';
import { exposureOf } from '../risk/exposure.ts';
import { decidedPolicy } from '../sessions/decide.ts';
import { isDisposable } from '../sessions/disposable.ts';
import { limitsText } from '../sessions/limit-words.ts';
import type { RunContext } from './run-context.ts';
import type { PromptFacts } from './system-prompt.ts';

export async function promptFacts({ parts, session, turn }: RunContext): Promise<PromptFacts> {
  const { world, config } = parts;
  return {
    place: await placeOf({ parts, session }),
    approvals: config.get('approvals.mode'),
    platform: session.platform,
    now: world.clock.now(),
    canSendFiles: turn.mostFileBytes > 0,
    canAsk: turn.answer !== undefined,
  };
}

async function placeOf({
  parts,
  session,
}: Pick<RunContext, 'parts' | 'session'>): Promise<PromptFacts['place']> {
  const { store, config, facts } = parts.world;
  try {
    // As it is now: its network may have been switched since.
    const current = (await store.sessions.find(session.id)) ?? session;
    const policy = await decidedPolicy(parts.world, current);
    const exposure = exposureOf(policy, { isDisposable: isDisposable(config, facts, policy.backend.value) });
    const root = facts[policy.backend.value]?.root;
    const [entry, known] = await Promise.all([
      store.ledger.findLive(session.id),
      store.ledger.enforcements(),
    ]);
    const limits = limitsText({ policy, entry, known }) ?? 'unknown';
    return { kind: 'sandbox', policy, exposure, limits, ...(root === undefined ? {} : { root }) };
  } catch (error) {
    if (!isHermesError(error, 'UNAVAILABLE_BACKEND')) throw error;
    return { kind: 'none', reason: error.message };
  }
}
