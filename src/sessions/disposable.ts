// Whether the owner says that the machine behind a backend may be lost. Backends that know such a setting name it.
import type { BackendFacts } from '../backends/backend.ts';

interface DisposableConfig {
  entries(): readonly { readonly key: string; readonly value: unknown }[];
}

export function isDisposable(
  config: DisposableConfig,
  facts: Readonly<Record<string, BackendFacts>>,
  backend: string,
): boolean {
  const key = Object.hasOwn(facts, backend) ? facts[backend]?.disposableSetting : undefined;
  return key !== undefined && config.entries().some(entry => entry.key === key && entry.value === true);
}
