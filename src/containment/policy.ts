// Which verdict to expect under which policy. Nothing here asks for a backend's name: capabilities decide.
import type { Enforcement } from '../backends/backend.ts';
import { type Finding, type Policy, unknown, type Verdict } from './probe.ts';

/** Whether something stands between a command and the machine that it runs on. */
export function isContaining({ isolation }: Policy): boolean {
  return isolation === 'container' || isolation === 'machine';
}

/** Contained by every backend that contains at all. */
export function byIsolation(policy: Policy): Verdict {
  return isContaining(policy) ? 'contained' : 'not contained';
}

/** The same, but for what a mount hands over. */
export function byMounts(policy: Policy): Verdict {
  const { canaryFolder, mounts } = policy;
  const isMounted = mounts.some(
    ({ source }) => source === '/' || canaryFolder === source || canaryFolder.startsWith(`${source}/`),
  );
  return isMounted ? 'not contained' : byIsolation(policy);
}

/** Closed only where the sandbox has no network at all. */
export function byNetwork(policy: Policy): Verdict {
  return policy.network === 'none' ? byIsolation(policy) : 'not contained';
}

/** The same for what stands at an address of this machine besides loopback. */
export function byLan(policy: Policy): Verdict {
  return policy.hasLan ? byNetwork(policy) : 'not enforceable here';
}

/** A limit that the backend says it does not hold is exposure, but no surprise. */
export function byLimit(name: keyof Enforcement): (policy: Policy) => Verdict {
  return policy => {
    if (!isContaining(policy)) return 'not contained';
    return policy.enforcement[name] === 'enforced' ? 'contained' : 'not enforceable here';
  };
}

/** Calls a limit that nobody promised to hold by its name. */
export function asPromised(policy: Policy, name: keyof Enforcement, finding: Finding): Finding {
  const isBroken = finding.verdict === 'not contained' && isContaining(policy);
  if (!isBroken || policy.enforcement[name] === 'enforced') return finding;
  return unknown(`${finding.found}; the backend says: ${policy.enforcement[name]}`);
}

export function always(verdict: Verdict): () => Verdict {
  return () => verdict;
}
