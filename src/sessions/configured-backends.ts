// The backends on which sandboxes of this installation may be, as far as settings and the recorded choice tell; the
// ledger names further ones.
import type { SandboxWorld } from './world.ts';

export async function configuredBackends({
  store,
  config,
  facts,
}: Pick<SandboxWorld, 'store' | 'config' | 'facts'>): Promise<readonly string[]> {
  const { backend: recorded } = await store.installation.read();
  const named = [config.get('gateway.terminal_backend'), config.get('terminal.backend'), recorded?.name];
  return [...new Set(named.filter(name => name !== undefined))].filter(name => Object.hasOwn(facts, name));
}
