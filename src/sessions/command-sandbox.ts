// The sandbox of one command of the CLI: in the ledger before it is made, and held under a lease for as long as the
// command lives, so that a sweep finds what a command that was killed has left (P4).
import { isHermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import { LEASE_MS, LeaseKeeper } from './lease-keeper.ts';
import { SandboxLife } from './life.ts';
import { LIMITS_MS } from './phase.ts';
import { policyHash, type SandboxPolicy } from './policy.ts';
import type { SandboxWorld } from './world.ts';

/** Whose it is, for who makes it. */
export interface Owner {
  readonly id: string;
  readonly installation: string;
  /** To be called once the sandbox is destroyed. */
  readonly onDestroyed: () => Promise<void>;
}

export interface CommandSandbox {
  readonly policy: SandboxPolicy;
  /** What for, such as `hermes run`. */
  readonly purpose: string;
}

/** Throws what `open` throws; then nothing of it is left, or the ledger says what is. */
export async function openCommandSandbox(
  world: SandboxWorld,
  { policy, purpose }: CommandSandbox,
  open: (owner: Owner) => Promise<SandboxHandle>,
): Promise<SandboxHandle> {
  const { store, installation, clock, holder } = world;
  const id = newId();
  await store.ledger.enter({
    id,
    installation,
    backend: policy.backend.value,
    whenIdle: 'destroy',
    policyHash: policyHash(policy),
    policy,
    deadline: clock.now() + LIMITS_MS.create,
    stepBy: holder,
  });
  const leases = new LeaseKeeper(world);
  const onDestroyed = async (): Promise<void> => {
    await leases.close();
    await forget(world, id);
  };
  try {
    const handle = await open({ id, installation, onDestroyed });
    const lease = await store.transaction(async inside => {
      const { ref, enforcement } = handle;
      await inside.ledger.move(id, 'ready', { name: ref.name, enforcement });
      const expiresAt = clock.now() + LEASE_MS;
      return inside.leases.take({ sandboxId: id, sessionId: null, holder, purpose, expiresAt });
    });
    if (lease) leases.adopt(lease);
    return handle;
  } catch (error) {
    await leases.close();
    // By the contract of drivers nothing is left then.
    const isNothing =
      isHermesError(error, 'UNAVAILABLE_BACKEND') || isHermesError(error, 'SANDBOX_NOT_CREATED');
    await (isNothing ? forget(world, id) : new SandboxLife(world).remove(id));
    throw error;
  }
}

async function forget({ store }: SandboxWorld, id: string): Promise<void> {
  await store.ledger.move(id, 'destroying');
  await store.ledger.move(id, 'gone');
}
