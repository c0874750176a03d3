// Files of a sandbox over the page: the commands `sandbox get` and `put`, by way of a private folder of this machine.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writePrivateFile } from '../base/private-files.ts';
import { type CallerParts, type CallOptions, runCommand } from './call-command.ts';

interface Place {
  readonly sandbox: string;
  readonly path: string;
}

/** `show` gets the file while it is there. */
export function getFile<T>(
  parts: CallerParts,
  { sandbox, path }: Place,
  options: CallOptions,
  show: (hostpath: string) => Promise<T>,
): Promise<T> {
  return inFolder(async folder => {
    const hostpath = join(folder, 'file');
    const flags = { wake: false, force: true };
    await runCommand(
      parts,
      { command: 'sandbox get', flags, args: { id: sandbox, path, hostpath } },
      options,
    );
    return show(hostpath);
  });
}

/** Into the folder `path`, under a name that cannot lead elsewhere. */
export function putFile(
  parts: CallerParts,
  {
    sandbox,
    path,
    name,
    content,
  }: Place & { readonly name: string; readonly content: AsyncIterable<Uint8Array> },
  options: CallOptions,
): Promise<unknown> {
  return inFolder(async folder => {
    const hostpath = join(folder, 'file');
    await writePrivateFile(hostpath, content);
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
