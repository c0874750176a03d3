// What holds in the sandbox that a run has in its hands: what its commands could hurt, and whether they share a shell.
import { type Exposure, exposureOf } from '../risk/exposure.ts';
import { decidedPolicy } from '../sessions/decide.ts';
import { isDisposable } from '../sessions/disposable.ts';
import type { SandboxPolicy } from '../sessions/policy.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import type { Session } from '../store/sessions.ts';

export interface SandboxTerms {
  readonly exposure: Exposure;
  readonly keepsShell: boolean;
}

/** Throws UNAVAILABLE_BACKEND when nothing is decided for the session any more. */
export type TermsOf = (session: Session, sandboxId: string) => Promise<SandboxTerms>;

export function sandboxTerms(world: SandboxWorld): TermsOf {
  return async (session, sandboxId) => {
    const decided = await decidedPolicy(world, session);
    // As it was made: settings, or its network, may have changed since, and it stays as it is until it is given back.
    const made = (await world.store.ledger.find(sandboxId))?.policy as SandboxPolicy | undefined; // as SandboxLife wrote it
    const policy = made ?? decided;
    return {
      exposure: exposureOf(policy, {
        isDisposable: isDisposable(world.config, world.facts, policy.backend.value),
      }),
      keepsShell: decided.persistentShell.value,
    };
  };
}
