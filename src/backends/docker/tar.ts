// The two things that we do with archives: making folders with an owner, and reading one small file.

export interface Folder {
  /** Absolute. */
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export interface TarOptions {
  /** Seconds since the epoch. */
  readonly modified: number;
}

const BLOCK = 512;

/** An archive, to be unpacked at the root, that makes these folders or gives them that owner and mode. */
export function tarOfFolders(folders: readonly Folder[], { modified }: TarOptions): Buffer {
  return Buffer.concat([...folders.map(folder => header(folder, modified)), Buffer.alloc(2 * BLOCK)]);
}

function header({ path, mode, uid, gid }: Folder, modified: number): Buffer {
  const name = `${path.replace(/^\/+|\/+$/g, '')}/`;
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${path} is too long for the name of a folder`);
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(octal(mode, 8), 100);
  block.write(octal(uid, 8), 108);
  block.write(octal(gid, 8), 116);
  block.write(octal(0, 12), 124);
  block.write(octal(modified, 12), 136);
  block.write('5', 156);
  block.write('ustar\x0000', 257, 'latin1');
  // The sum is made with its own field full of spaces.
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 7)} `, 148, 'latin1');
  return block;
}

/** Digits that fill a field up to the NUL that ends it. */
function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`;
}

/** The content of the first regular file of an archive; undefined when there is none. */
export function firstFile(archive: Buffer): string | undefined {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8);
    const type = archive.toString('latin1', at + 156, at + 157);
    if (Number.isNaN(size)) return undefined;
    if (type === '0' || type === '\0') return archive.toString('utf8', at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return undefined;
}
