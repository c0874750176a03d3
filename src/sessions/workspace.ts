// The files of a workspace on their way from a sandbox to the one that takes its place, as one archive of bytes.
import type { SandboxHandle } from '../sandboxes/handle.ts';
import type { ExecResult } from '../sandboxes/result.ts';

/** What is larger stays where it is, and is said to. */
const LARGEST = 256 * 1024 * 1024;

export type Packed =
  | { readonly kind: 'packed'; readonly archive: Uint8Array }
  | { readonly kind: 'left'; readonly why: string };

export async function packWorkspace(from: SandboxHandle): Promise<Packed> {
  const result = await from.exec('exec tar -cf - .', { keepBytes: LARGEST, cwd: '' });
  if (result.truncated) return { kind: 'left', why: 'there is too much of them' };
  const why = failureOf(result);
  return why === undefined ? { kind: 'packed', archive: result.stdoutBytes } : { kind: 'left', why };
}

/** Why they are not there, or not all of them; undefined when they are. */
export async function unpackWorkspace(to: SandboxHandle, archive: Uint8Array): Promise<string | undefined> {
  return failureOf(await to.exec('exec tar -xf -', { stdin: archive, cwd: '' }));
}

function failureOf({ outcome, exitCode, stderr }: ExecResult): string | undefined {
  if (outcome === 'exited' && exitCode === 0) return undefined;
  const [said = ''] = stderr.trim().split('\n');
  return said === '' ? `tar: ${outcome} ${exitCode ?? ''}`.trimEnd() : said;
}
