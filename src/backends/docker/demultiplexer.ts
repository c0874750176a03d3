// Takes the engine's one stream apart: frames with a header of 8 bytes, of which the first is 1 for stdout and 2 for
// stderr, and the last four are the length. Frames and headers may be cut anywhere.

export type FrameListener = (stream: 'stdout' | 'stderr', data: Uint8Array) => void;

const HEADER_BYTES = 8;

export class Demultiplexer {
  readonly #listener: FrameListener;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #stream: 'stdout' | 'stderr' = 'stdout';
  #left = 0;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  /** Hands on slices of `data`, not copies. */
  push(data: Buffer): void {
    let at = 0;
    while (at < data.length) {
      if (this.#left > 0) {
        const end = Math.min(data.length, at + this.#left);
        this.#left -= end - at;
        this.#listener(this.#stream, data.subarray(at, end));
        at = end;
      } else {
        at += this.#takeHeader(data, at);
      }
    }
  }

  #takeHeader(data: Buffer, at: number): number {
    const taken = data.copy(this.#header, this.#headerBytes, at, at + HEADER_BYTES - this.#headerBytes);
    this.#headerBytes += taken;
    if (this.#headerBytes === HEADER_BYTES) {
      this.#headerBytes = 0;
      this.#stream = this.#header[0] === 2 ? 'stderr' : 'stdout';
      this.#left = this.#header.readUInt32BE(4);
    }
    return taken;
  }
}
