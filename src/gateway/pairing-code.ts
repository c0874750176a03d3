// Codes that people read to each other, kept as hashes only. Forty random bits are few for whoever has stolen the state, so
// the hash is slow on purpose.
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ID_ALPHABET, randomCode } from '../base/ids.ts';

const LENGTH = 8;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** About 10 ms and 4 MiB: trying all codes would take longer than centuries, and a code lives for an hour. */
const COST = { N: 4096, r: 8, p: 1 } as const;

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

export function newCode(): string {
  return randomCode(LENGTH).toUpperCase();
}

/** What somebody typed, with the dashes, spaces and small letters that people type; undefined when it is no code. */
export function readCode(typed: string): string | undefined {
  // Nobody means more than a few characters; what is longer is not even looked at.
  if (typed.length > 8 * LENGTH) return undefined;
  const code = typed.replace(/[\s-]/g, '').toLowerCase();
  const isCode = code.length === LENGTH && [...code].every(symbol => ID_ALPHABET.includes(symbol));
  return isCode ? code.toUpperCase() : undefined;
}

export async function hashCode(code: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(code, salt, KEY_BYTES, COST);
  return `${salt.toString('hex')}:${key.toString('hex')}`;
}

/** Takes as long for a code that is almost right as for any other. */
export async function isCodeOf(hash: string, code: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':');
  const derived = await derive(code, Buffer.from(salt, 'hex'), KEY_BYTES, COST);
  return isSame(derived, Buffer.from(key, 'hex'));
}

/** For a code that never leaves the memory of this process. */
export function quickHash(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

export function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
