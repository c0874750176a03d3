// The last step of a creation: the folders that commands start in are made, by which the sandbox also proves that it runs.
import { HermesError, isHermesError } from '../../base/errors.ts';
import type { SandboxRef } from '../backend.ts';
import type { Live } from './live.ts';
import { HERMES_FOLDER, type Plan } from './plan.ts';
import { destroyAll, type Workshop } from './sandbox.ts';

export interface Fresh {
  readonly ref: SandboxRef;
  readonly plan: Plan;
  readonly live: Live;
  readonly signal?: AbortSignal | undefined;
}

/** Throws SANDBOX_NOT_CREATED or UNAVAILABLE_BACKEND; then nothing of it is left. */
export async function prepare(shop: Workshop, { ref, plan, live, signal }: Fresh): Promise<void> {
  try {
    const folders = [HERMES_FOLDER, plan.workdir];
    const making = await live.spawn(['mkdir', '-p', '--', ...folders], { workdir: '/', signal });
    const said: Uint8Array[] = [];
    making.onOutput((_, data) => said.push(data));
    making.end();
    const exit = await making.exit;
    if (!('code' in exit) || exit.code !== 0) {
      const words = Buffer.concat(said).toString().trim();
      throw notReady(ref, `${plan.workdir} could not be made in it: ${words || 'nothing was said'}`);
    }
    signal?.throwIfAborted();
  } catch (error) {
    live.release('was not made');
    await destroyAll(shop, ref, live.remote);
    if (signal?.aborted) throw signal.reason;
    const isOfContract =
      isHermesError(error, 'SANDBOX_NOT_CREATED') || isHermesError(error, 'UNAVAILABLE_BACKEND');
    if (isOfContract || !(error instanceof HermesError)) throw error;
    throw notReady(ref, error.message, error);
  }
}

function notReady(ref: SandboxRef, why: string, cause?: unknown): HermesError {
  const message = `The sandbox ${ref.name} was not made: ${why} Nothing is left of it.`;
  return new HermesError('SANDBOX_NOT_CREATED', message, {
    details: { ref },
    ...(cause === undefined ? {} : { cause }),
  });
}
