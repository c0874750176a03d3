// Output of programs as a model reads it: without terminal control, and of lines that were written over only what a
// terminal would still show. Nothing is cut in here but where the sandbox has cut already.
import { stripAnsi } from '../base/strip-ansi.ts';
import { headAndTail } from '../base/truncate.ts';

/** What is kept of a stream of a command; far more than a model ever sees, so that the cut is never in sight. */
export const KEEP_BYTES = 1024 * 1024;

/** A secret that was cut in two has no shape any more, so the lines beside a cut go as well. */
const LONGEST_LINE = 65_536;

export function shownOutput(text: string): string {
  return stripAnsi(text)
    .split('\n')
    .map(line => {
      const end = line.endsWith('\r') ? line.length - 1 : line.length;
      return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
    })
    .join('\n');
}

export interface KeptStream {
  /** All of it, or beginning and end when more was written than was kept. */
  readonly bytes: Uint8Array;
  /** Bytes that were written. */
  readonly total: number;
}

/** The text of a stream of which at most `keepBytes` were kept. */
export function keptText({ bytes, total }: KeptStream, keepBytes = KEEP_BYTES): string {
  if (total <= bytes.length) return shownOutput(decode(bytes));
  const { head } = headAndTail(keepBytes);
  const first = wholeLines(decode(bytes.subarray(0, head)), 'first');
  const last = wholeLines(decode(bytes.subarray(head)), 'last');
  return `${shownOutput(first)}\n… the middle of ${total} bytes was not kept …\n${shownOutput(last)}`;
}

/** Without the line that a cut goes through; of a line without end, without what is next to the cut. */
export function wholeLines(text: string, part: 'first' | 'last'): string {
  if (part === 'first') {
    const end = Math.max(0, text.lastIndexOf('\n'));
    return text.slice(0, Math.max(end, text.length - LONGEST_LINE));
  }
  const start = text.indexOf('\n');
  return text.slice(start < 0 || start > LONGEST_LINE ? LONGEST_LINE : start + 1);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
