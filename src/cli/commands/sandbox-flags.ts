// What the commands that make a sandbox for themselves have in common.
import type { SandboxHandle } from '../../sandboxes/handle.ts';
import type { Owner } from '../../sessions/command-sandbox.ts';
import type { CommandContext } from '../command.ts';
import { chosenPolicy } from './chosen-policy.ts';
import { openForCommand } from './installation.ts';

export const sandboxFlags = {
  backend: { type: 'text', value: 'name', doc: 'where to run, or auto; else terminal.backend, else local' },
  cwd: { type: 'text', value: 'folder', doc: 'folder in the sandbox to start in' },
} as const;

export interface SandboxFlags {
  readonly backend: string | undefined;
  readonly cwd: string | undefined;
}

/** The sandbox that flags and configuration ask for, and the time limit of its commands. */
export async function openFlaggedSandbox(
  flags: SandboxFlags,
  context: CommandContext,
  purpose: string,
): Promise<{ handle: SandboxHandle; timeoutMs: number; backend: string }> {
  const config = await context.config(
    flags.backend === undefined ? {} : { 'terminal.backend': { flag: '--backend', text: flags.backend } },
  );
  const policy = await chosenPolicy(config, 'cli', context);
  const backend = policy.backend.value;
  const timeoutMs = config.get('terminal.timeout') * 1000;
  const { openSandboxWith } = await import('../../compose.ts');
  if (policy.isolation === 'none') {
    // On this machine itself the shells of a command end with its input, so that there is nothing to be found again, and
    // the state, whose opening takes longer than such a command, is left alone.
    const { environment, signal, note: progress } = context;
    const handle = await openSandboxWith(config, environment, { backend, signal, progress });
    return { handle, backend, timeoutMs };
  }
  const { openCommandSandbox } = await import('../../sessions/command-sandbox.ts');
  const installation = await openForCommand(config, context);
  const { environment, signal, note: progress } = context;
  const open = ({ onDestroyed, ...owner }: Owner): Promise<SandboxHandle> =>
    openSandboxWith(
      config,
      environment,
      { backend, signal, progress },
      {
        ...owner,
        onDestroyed: () => onDestroyed().finally(() => installation.close()),
      },
    );
  const handle = await openCommandSandbox(installation.world, { policy, purpose }, open).catch(
    async error => {
      await installation.close();
      throw error;
    },
  );
  return { handle, backend, timeoutMs };
}
