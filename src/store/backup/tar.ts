// The archive format of backups: plain ustar, so that `tar -xzf` reads it without us. Regular files only.
import { HermesError } from '../../base/errors.ts';

export interface TarHeader {
  readonly name: string;
  readonly size: number;
}

export const BLOCK = 512;
const LONGEST_NAME = 100;
const MODE = 0o600;
const MAGIC = 'ustar\x0000';
/** More does not fit into eleven octal digits, and is written as a binary number. */
const LARGEST_OCTAL = 8 ** 11;

export function fitsTar(name: string): boolean {
  return Buffer.byteLength(name) <= LONGEST_NAME;
}

/** How many bytes follow a content of that size, up to the next block. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

export function headerBlock({ name, size }: TarHeader, modified: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(octal(MODE, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  if (size < LARGEST_OCTAL) block.write(octal(size, 12), 124);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  block.write(octal(modified, 12), 136);
  block.write('0', 156);
  block.write(MAGIC, 257, 'latin1');
  block.write(`${octal(sumOf(block), 7)} `, 148, 'latin1');
  return block;
}

/** Undefined for the empty block that ends an archive. Throws USAGE_BACKUP_UNUSABLE for what we have not written. */
export function parseHeader(block: Buffer): TarHeader | undefined {
  if (block.every(byte => byte === 0)) return undefined;
  const sum = Number.parseInt(textAt(block, 148, 8), 8);
  const isOurs = textAt(block, 257, 6) === 'ustar' && textAt(block, 156, 1) === '0';
  if (sum !== sumOf(block) || !isOurs) throw unreadable('a header in it is broken');
  const size =
    block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(textAt(block, 124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw unreadable('the size of a file in it is broken');
  return { name: textAt(block, 0, LONGEST_NAME), size };
}

/** The error of everything that cannot be read as a backup. */
export function unreadable(why: string, cause?: unknown): HermesError {
  const message = `It is damaged, or no backup of Hermes: ${why}. Nothing was changed; use another one (\`hermes backup list\`).`;
  return new HermesError('USAGE_BACKUP_UNUSABLE', message, { details: { reason: why }, cause });
}

function textAt(block: Buffer, at: number, length: number): string {
  const [text = ''] = block.toString('utf8', at, at + length).split('\0', 1);
  return text.trim();
}

/** Made with its own field full of spaces. */
function sumOf(block: Buffer): number {
  return block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
}

/** Digits that fill a field up to the NUL that ends it. */
function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`;
}
