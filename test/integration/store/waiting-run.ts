// A run of another process that holds a sandbox, as one does that waits for an approval.
import type { Store } from '../../../src/store/store.ts';

export async function waitingRun(
  store: Store,
  { runId, sessionId, holder = 'cli-other' }: { runId: string; sessionId: string; holder?: string },
): Promise<void> {
  const id = `sandbox-of-${runId}`;
  const shape = { whenIdle: 'destroy', policyHash: 'x', policy: {}, deadline: Date.now() + 60_000 } as const;
  await store.ledger.enter({ id, sessionId, installation: 'test', backend: 'local', ...shape });
  await store.ledger.move(id, 'ready', { name: id });
  const expiresAt = Date.now() + 60_000;
  await store.leases.take({ sandboxId: id, sessionId, holder, purpose: runId, expiresAt });
}
