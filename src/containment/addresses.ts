// Socket addresses as the kernel takes them.
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Addresses } from './host.ts';

export const AF_UNIX = 1;
export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCK_STREAM = 1;
export const SOCK_DGRAM = 2;
export const SOCK_RAW = 3;

/** Where clouds answer with credentials. */
const METADATA = '169.254.169.254';

/** What an operator’s machine has: its first own address that is not loopback, and the usual place of metadata. */
export function ownAddresses(): Addresses {
  const all = Object.values(networkInterfaces()).flatMap(list => list ?? []);
  const lan = all.find(({ internal, family }) => !internal && family === 'IPv4');
  return { metadata: METADATA, ...(lan ? { lan: lan.address } : {}) };
}

export function unixAddress(path: string): Uint8Array {
  // An abstract name has a NUL before it and none behind.
  const end = path.startsWith('\0') ? '' : '\0';
  return Buffer.concat([twoBytes(AF_UNIX, 'little'), Buffer.from(path + end)]);
}

export function internetAddress(host: string, port: number): Uint8Array {
  if (isIPv6(host)) {
    const address = Buffer.alloc(24);
    address.writeUInt16LE(AF_INET6, 0);
    address.writeUInt16BE(port, 2);
    // Only loopback is ever asked for.
    address[23] = host === '::1' ? 1 : 0;
    return Buffer.concat([address, Buffer.alloc(4)]);
  }
  return Buffer.concat([
    twoBytes(AF_INET, 'little'),
    twoBytes(port, 'big'),
    Buffer.from(host.split('.').map(Number)),
    Buffer.alloc(8),
  ]);
}

function twoBytes(value: number, order: 'little' | 'big'): Buffer {
  const bytes = Buffer.alloc(2);
  if (order === 'little') bytes.writeUInt16LE(value);
  else bytes.writeUInt16BE(value);
  return bytes;
}
