// Reads what is sent to the webhook. Anybody may begin to say something there, so little of it is held at once: where it becomes
// too much, whoever began first is let go.
import type { IncomingMessage } from 'node:http';
import { systemErrorCode } from '../../base/errors.ts';

/** WhatsApp's own are at most 3 MB. */
export const LARGEST_BODY = 4 * 1024 * 1024;
/** Of all that are being read. */
const MOST_HELD = 3 * LARGEST_BODY;
/** It ended before it was whole: by them, by us, or for want of time. */
const BROKEN_OFF = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_HTTP_REQUEST_TIMEOUT'];

export class Bodies {
  /** What is held of each, the oldest first. */
  readonly #reading = new Map<IncomingMessage, number>();

  /** What is too long is not read to its end. */
  async read(request: IncomingMessage): Promise<Buffer | 'too-long' | 'broken-off'> {
    if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) return 'too-long';
    const chunks: Buffer[] = [];
    this.#reading.set(request, 0);
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        const size = (this.#reading.get(request) ?? 0) + chunk.length;
        if (size > LARGEST_BODY) return 'too-long';
        this.#reading.set(request, size);
        chunks.push(chunk);
        this.#makeRoom();
      }
      return Buffer.concat(chunks);
    } catch (error) {
      if (BROKEN_OFF.includes(systemErrorCode(error) ?? '')) return 'broken-off';
      throw error;
    } finally {
      this.#reading.delete(request);
    }
  }

  /** Nobody is listened to any further. */
  close(): void {
    for (const request of this.#reading.keys()) request.destroy();
  }

  #makeRoom(): void {
    let held = [...this.#reading.values()].reduce((sum, size) => sum + size, 0);
    for (const [request, size] of this.#reading) {
      if (held <= MOST_HELD) return;
      held -= size;
      this.#reading.delete(request);
      request.destroy();
    }
  }
}
