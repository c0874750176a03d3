// What the backend lists, all at once.
import type { Backend, SandboxRef } from '../../../src/index.ts';

export async function listed(backend: Backend, installation: string): Promise<SandboxRef[]> {
  const refs: SandboxRef[] = [];
  for await (const ref of backend.list(installation)) refs.push(ref);
  return refs;
}
