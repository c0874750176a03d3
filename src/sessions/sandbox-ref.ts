// What an engine is asked about: a sandbox by its row in the ledger, or by the label that it carries.
import type { SandboxRef } from '../backends/backend.ts';
import { isHermesError } from '../base/errors.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { SandboxWorld } from './world.ts';

export function refOf({ id, backend, name, installation, sessionId }: LedgerEntry): SandboxRef {
  return {
    backend,
    id,
    // As every driver names them, for one whose making was cut off before the engine had answered.
    name: name ?? `hermes-${id}`,
    installation,
    ...(sessionId === null ? {} : { session: sessionId }),
  };
}

/** Of something that carries our label, whether the ledger knows it or not. */
export async function removeRef(
  world: Pick<SandboxWorld, 'backend'>,
  ref: SandboxRef,
  signal: AbortSignal,
): Promise<void> {
  const backend = await world.backend(ref.backend);
  if (backend.destroy) return backend.destroy(ref, { signal });
  try {
    await (await backend.attach(ref, { signal })).destroy({ signal });
  } catch (error) {
    if (!isHermesError(error, 'SANDBOX_GONE')) throw error;
  }
}
