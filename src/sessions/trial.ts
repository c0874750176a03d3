// The first sandbox of a gateway that starts: made as chats get theirs, and removed again. So a missing image, or one without
// bash, stops the start and not the first message.
import { HermesError, isHermesError } from '../base/errors.ts';
import { SandboxLife } from './life.ts';
import type { SandboxPolicy } from './policy.ts';
import type { SandboxWorld } from './world.ts';

/** Throws UNAVAILABLE_BACKEND with what to do; then nothing of it is left. */
export async function requireSandbox(
  world: SandboxWorld,
  policy: SandboxPolicy,
  signal?: AbortSignal,
): Promise<void> {
  const { isolation, image } = policy;
  // Without images the check of the backend has tried everything; a machine in a cloud is billed, and not made for a trial.
  if (image.value === null || isolation !== 'container') return;
  const life = new SandboxLife(world);
  try {
    const { id } = await life.make({ policy, ...(signal ? { signal } : {}) });
    await life.remove(id);
  } catch (error) {
    const isRefused =
      isHermesError(error, 'UNAVAILABLE_BACKEND') ||
      isHermesError(error, 'SANDBOX_NOT_CREATED') ||
      isHermesError(error, 'SANDBOX_NO_BASH');
    throw isRefused ? notMade(policy, error) : error;
  } finally {
    await life.close();
  }
}

function notMade({ backend, image }: SandboxPolicy, cause: HermesError): HermesError {
  const message = `Could not make a sandbox for chats on ${backend.value} with the image ${image.value} (${image.origin}): ${cause.message} Pull or build the image, or set gateway.sandbox_image to one with bash 4.4 or newer. Nothing was started.`;
  return new HermesError('UNAVAILABLE_BACKEND', message, {
    cause,
    details: { backend: backend.value, image: image.value },
  });
}
