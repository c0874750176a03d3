// How far backends isolate, compared: from the machine itself to a machine of its own.
import type { BackendFacts, Isolation } from './backend.ts';
import { backendFacts } from './index.generated.ts';

const STRENGTH: Readonly<Record<Isolation, number>> = { none: 0, remote: 1, container: 2, machine: 3 };

/** The one of two that can be written for a backend that isolates more; `one` where they are alike. */
export function moreIsolated<Name extends string>(one: Name, other: Name): Name {
  return strength(other) > strength(one) ? other : one;
}

function strength(name: string): number {
  // `auto` takes isolated ones only.
  if (name === 'auto') return STRENGTH.container;
  const facts: Readonly<Record<string, BackendFacts>> = backendFacts;
  const isolation = Object.hasOwn(facts, name) ? facts[name]?.capabilities.isolation : undefined;
  return STRENGTH[isolation ?? 'none'];
}
