// Files of a sandbox over the page: the commands `sandbox get` and `put`, by way of a private folder of this machine.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type CallerParts, type CallOptions, runCommand } from './call-command.ts';

interface Place {
  readonly sandbox: string;
  readonly path: string;
}

export function getFile(parts: CallerParts, { sandbox, path }: Place, options: CallOptions): Promise<Buffer> {
  return inFolder(async folder => {
    const hostpath = join(folder, 'file');
    const flags = { wake: false, force: true };
    await runCommand(
      parts,
      { command: 'sandbox get', flags, args: { id: sandbox, path, hostpath } },
      options,
    );
    return readFile(hostpath);
  });
}

/** Into the folder `path`, under a name that cannot lead elsewhere. */
export function putFile(
  parts: CallerParts,
  { sandbox, path, name, bytes }: Place & { readonly name: string; readonly bytes: Uint8Array },
  options: CallOptions,
): Promise<unknown> {
  return inFolder(async folder => {
    const hostpath = join(folder, 'file');
    await writeFile(hostpath, bytes, { mode: 0o600 });
    const target = `${path.replace(/\/*$/, '/')}${basename(name).replaceAll('\0', '')}`;
    const args = { id: sandbox, hostpath, path: target };
    return (await runCommand(parts, { command: 'sandbox put', flags: {}, args }, options)).data;
  });
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-page-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
