// The files of a workspace on their way from a sandbox to the one that takes its place, as one archive of bytes.
import type { SandboxHandle } from '../sandboxes/handle.ts';

/** What is larger stays where it is, and is said to. */
const LARGEST = 256 * 1024 * 1024;

export const carryWorkspace = {
  /** Undefined when there is too much of it, or it cannot be read. */
  async out(from: SandboxHandle): Promise<Uint8Array | undefined> {
    const { exitCode, truncated, stdoutBytes } = await from.exec('exec tar -cf - .', {
      keepBytes: LARGEST,
      cwd: '',
    });
    return exitCode === 0 && !truncated ? stdoutBytes : undefined;
  },

  async in(to: SandboxHandle, archive: Uint8Array): Promise<void> {
    await to.exec('exec tar -xf -', { stdin: archive, cwd: '' });
  },
};
