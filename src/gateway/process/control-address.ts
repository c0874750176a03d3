// Where the control socket is. A path that is too long for a socket is shortened by way of an open folder.
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HermesError } from '../../base/errors.ts';

/** What Linux takes, and macOS, without the byte that ends it. */
const LONGEST_PATH = { linux: 107, other: 103 } as const;

export function controlPath(home: string): string {
  return join(home, 'gateway.sock');
}

export interface ControlAddress {
  readonly path: string;
  close(): Promise<void>;
}

/** Throws CONFIG_INVALID where there is no way around it, ENOENT when the folder does not exist. */
export async function controlAddress(home: string): Promise<ControlAddress> {
  const path = controlPath(home);
  const isLinux = process.platform === 'linux';
  if (Buffer.byteLength(path) <= LONGEST_PATH[isLinux ? 'linux' : 'other']) {
    return { path, close: async () => undefined };
  }
  if (!isLinux) {
    const message = `The path ${path} is too long for a socket. Set HERMES_HOME to a shorter one.`;
    throw new HermesError('CONFIG_INVALID', message);
  }
  const folder: FileHandle = await open(dirname(path), 'r');
  return { path: `/proc/self/fd/${folder.fd}/gateway.sock`, close: () => folder.close() };
}
