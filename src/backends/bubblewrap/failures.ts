// What went wrong with a sandbox, in words for an operator: each says what to do.
import { HermesError } from '../../base/errors.ts';
import type { Problem, SandboxRef } from '../backend.ts';
import { makesNamespaces } from './bwrap-program.ts';
import type { Label } from './folder.ts';
import type { LaunchFailed } from './instance.ts';
import { type Machine, unavailable } from './machine.ts';
import { NETWORK_PROGRAM, type NetworkFailed } from './network.ts';
import { lookAround, reasonsFor } from './reasons.ts';

export function notCreated(reason: string, fix: string, cause?: unknown): HermesError {
  const message = `The sandbox could not be made: ${reason}. ${fix}.`;
  return new HermesError('SANDBOX_NOT_CREATED', message, { details: { reason, fix }, cause });
}

export function noBash(ref: SandboxRef, root: string | undefined, cause: unknown): HermesError {
  const message = `No command can run in ${ref.name}: there is no bash in ${root ?? 'the system folders'}. Install it there.`;
  return new HermesError('SANDBOX_NO_BASH', message, { details: { ref }, cause });
}

export function noNetwork(error: NetworkFailed): HermesError {
  const said =
    error.said
      .trim()
      .split('\n')
      .find(line => !line.startsWith('WARNING')) || 'it did not answer in time';
  return unavailable(
    `the network could not be opened, ${NETWORK_PROGRAM} says: ${said}`,
    'See to it that the user who runs Hermes can open /dev/net/tun, or use the network none',
    { cause: error },
  );
}

/** In words for an operator. */
export async function explained(error: LaunchFailed, label: Label, machine: Machine): Promise<HermesError> {
  const { uid, gid } = label;
  const canMake = await makesNamespaces(machine.path, machine.asRoot ? { uid, gid } : {});
  const [first] = reasonsFor(await lookAround(error.stderr, canMake));
  return unavailable(first?.message ?? 'the reason is not known', first?.fix ?? '', { cause: error });
}

export function problemsOf(error: unknown): readonly Problem[] {
  if (!(error instanceof HermesError)) return [{ message: String(error), fix: 'Please report it.' }];
  const { reason, fix, package: wanted } = error.details;
  return [
    {
      message: typeof reason === 'string' ? reason : error.message,
      fix: typeof fix === 'string' ? fix : '',
      ...(typeof wanted === 'string' ? { package: wanted } : {}),
    },
  ];
}
