// A part of a file with what surrounds it. A small file comes whole; of a large one the part is cut out inside the
// sandbox, so that a file of any size costs only what is looked at.
import { shellQuote } from '../base/shell-quote.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import { assertRan, IS_READABLE_FILE } from './file-failure.ts';
import { wholeLines } from './shown-output.ts';

export interface Range {
  /** The first line, counted from 1. */
  readonly offset: number;
  readonly limit: number;
}

export interface FileWindow {
  readonly size: number;
  readonly lines: number;
  readonly isBinary: boolean;
  /** Number of the first line of `text`. */
  readonly first: number;
  readonly text: string;
}

const SMALL = 256 * 1024;
/** Lines before and after the range; more than the longest key has. */
const AROUND = 400;
const WINDOW_BYTES = 1024 * 1024;
const LOOKED_AT = 8192;
const TIMEOUT_MS = 60_000;

/** The first bytes of a file. Throws SANDBOX_FILE_MISSING or SANDBOX_FILE_REFUSED. */
export async function fileHead(handle: SandboxHandle, path: string, most: number): Promise<Uint8Array> {
  const script = `p=${shellQuote(path)}\n${IS_READABLE_FILE}\nexec head -c ${most} -- "$p"`;
  const result = await handle.exec(script, { timeoutMs: TIMEOUT_MS, keepBytes: most * 4 });
  assertRan(path, result);
  return result.stdoutBytes;
}

/** Throws as `fileHead` does. */
export async function fileWindow(handle: SandboxHandle, path: string, range: Range): Promise<FileWindow> {
  const bytes = await fileHead(handle, path, SMALL + 1);
  if (bytes.length > SMALL) return largeWindow(handle, path, range);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const breaks = text.split('\n').length - 1;
  const lines = text === '' || text.endsWith('\n') ? breaks : breaks + 1;
  const isBinary = bytes.subarray(0, LOOKED_AT).includes(0);
  return { size: bytes.length, lines, isBinary, first: 1, text };
}

async function largeWindow(
  handle: SandboxHandle,
  path: string,
  { offset, limit }: Range,
): Promise<FileWindow> {
  const first = Math.max(1, offset - AROUND);
  const result = await handle.exec(
    `p=${shellQuote(path)}
${IS_READABLE_FILE}
size=$(wc -c <"$p") lines=$(wc -l <"$p")
((size == 0 || $(tail -c 1 -- "$p" | wc -l))) || ((lines += 1))
binary=$(head -c ${LOOKED_AT} -- "$p" | tr -dc '\\000' | wc -c)
printf '%s %s %s\\n' $((size)) $((lines)) $((binary))
((binary > 0)) || tail -n +${first} -- "$p" | head -n ${offset - first + limit + AROUND} | head -c ${WINDOW_BYTES}
:`,
    { timeoutMs: TIMEOUT_MS, keepBytes: WINDOW_BYTES * 4 },
  );
  assertRan(path, result);
  const head = result.stdout.indexOf('\n');
  const [size = 0, lines = 0, binary = 0] = result.stdout.slice(0, head).split(' ').map(Number);
  const text = result.stdout.slice(head + 1);
  const isCut = result.stdoutTotal - head - 1 >= WINDOW_BYTES;
  return { size, lines, isBinary: binary > 0, first, text: isCut ? wholeLines(text, 'first') : text };
}
