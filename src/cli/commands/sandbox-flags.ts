// What the commands that make a sandbox for themselves have in common.
import type { SandboxHandle } from '../../sandboxes/handle.ts';
import type { CommandContext } from '../command.ts';
import { chosenPolicy } from './chosen-policy.ts';

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
): Promise<{ handle: SandboxHandle; timeoutMs: number; backend: string }> {
  const config = await context.config(
    flags.backend === undefined ? {} : { 'terminal.backend': { flag: '--backend', text: flags.backend } },
  );
  const { openSandboxWith } = await import('../../compose.ts');
  const backend = (await chosenPolicy(config, 'cli', context)).backend.value;
  const handle = await openSandboxWith(config, context.environment, {
    backend,
    signal: context.signal,
    progress: context.note,
  });
  return { handle, backend, timeoutMs: config.get('terminal.timeout') * 1000 };
}
