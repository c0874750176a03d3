// A program's output within its limit: redacted first and cut afterwards, because half a secret has no shape any more (P7).
import { characterStart, headAndTail, nextCharacterStart, truncateMiddle } from '../base/truncate.ts';
import { OutputBuffer } from '../sandboxes/channel/output-buffer.ts';

/** More than any secret is long; so much is kept on both sides of the cut until redaction is done. */
const MARGIN = 32 * 1024;

type Redact = (text: string) => string | Promise<string>;

/** Keeps what is needed of a stream that may never end. */
export function outputBuffer(limit: number): OutputBuffer {
  return new OutputBuffer(bufferSize(limit));
}

/** At most `limit` bytes and a note. `redact` must leave alone what it has redacted before. */
export async function cutOutput(buffer: OutputBuffer, limit: number, redact: Redact): Promise<string> {
  if (buffer.omitted === 0) return truncateMiddle(await redact(buffer.text()), limit).text;
  const bytes = buffer.bytes();
  const border = headAndTail(bufferSize(limit)).head;
  const head = await redacted(bytes.subarray(0, border), redact);
  const tail = await redacted(bytes.subarray(border), redact);
  const most = headAndTail(limit);
  const headEnd = characterStart(head, most.head);
  const tailStart = nextCharacterStart(tail, Math.max(0, tail.length - most.tail));
  const omitted = buffer.total - headEnd - (tail.length - tailStart);
  return `${head.toString('utf8', 0, headEnd)}\n… ${omitted} bytes left out …\n${tail.toString('utf8', tailStart)}`;
}

function bufferSize(limit: number): number {
  // The smaller part, the head, has its margin too.
  return limit + 3 * MARGIN;
}

async function redacted(bytes: Uint8Array, redact: Redact): Promise<Buffer> {
  return Buffer.from(await redact(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)), 'utf8');
}
