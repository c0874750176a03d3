// From the engine's answer to the first proof that commands can run, within the limit of the phase.
import type { Sandbox } from '../backends/backend.ts';
import { SandboxHandle, type SudoSource } from '../sandboxes/handle.ts';
import { inPhase, type PhaseName } from './phase.ts';
import type { SandboxPolicy } from './policy.ts';
import type { SandboxWorld } from './world.ts';

export interface Opening {
  readonly id: string;
  readonly policy: SandboxPolicy;
  readonly signal: AbortSignal | undefined;
}

export function openHandle(
  {
    clock,
    config,
    holder,
    askSudoPassword,
  }: Pick<SandboxWorld, 'clock' | 'config' | 'holder' | 'askSudoPassword'>,
  phase: PhaseName,
  { id, policy, signal }: Opening,
  reach: (signal: AbortSignal) => Promise<Sandbox>,
): Promise<SandboxHandle> {
  const timeoutMs = policy.timeoutSeconds.value * 1000;
  const sudoPassword: SudoSource = last =>
    policy.sudo?.value ? config.get('terminal.sudo_password') : askSudoPassword?.(policy.isolation, last);
  return inPhase(phase, { clock, on: `sandbox ${id}`, ...(signal ? { signal } : {}) }, async given => {
    const handle = await SandboxHandle.open({
      ...{ sandbox: await reach(given), clock, timeoutMs, owner: holder, sudoPassword },
      ...(phase === 'create' ? {} : { endEarlier: earlierThan(holder) }),
    });
    // Nobody waits for it any more.
    if (given.aborted) await (phase === 'create' ? handle.destroy() : handle.detach());
    return handle;
  });
}

/** There is one gateway for an installation: what any other life of it has started is over. */
function earlierThan(holder: string): string {
  return holder.startsWith('gateway-') ? 'gateway-*' : holder;
}
