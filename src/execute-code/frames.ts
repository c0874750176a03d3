// The frames between a program and the gateway: a line with the length, then so many bytes. The program's side stands in
// client/. What cannot be a call ends the line; it costs that program its tools, and nobody else anything.

/** One call as the program wrote it. `input` is JSON, perhaps malformed. */
export interface CallFrame {
  readonly id: number;
  readonly tool: string;
  readonly input: string;
}

const HEADER = /^(\d{1,9}) ([\w.:-]{1,128}) (\d{1,8})$/;
const LONGEST_HEADER = 160;
/** The clients refuse a longer input before they send it. */
const LONGEST_INPUT = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Puts calls together, however they are cut. It holds one call at most. */
export class FrameReader {
  #held: Uint8Array[] = [];
  #size = 0;
  #wanted = 0;
  #isBroken = false;

  /** The calls that are complete; `broken` for ever once something cannot be one. */
  push(bytes: Uint8Array): readonly CallFrame[] | 'broken' {
    if (this.#isBroken) return 'broken';
    this.#held.push(bytes);
    this.#size += bytes.length;
    // A long input comes in many pieces, which are put together once.
    if (this.#size < this.#wanted) return [];
    let rest = Buffer.concat(this.#held);
    const frames: CallFrame[] = [];
    this.#wanted = 0;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const [, id, tool, length] = HEADER.exec(rest.toString('latin1', 0, end)) ?? [];
      if (tool === undefined || Number(length) > LONGEST_INPUT) return this.#break();
      const after = end + 1 + Number(length);
      if (rest.length < after) {
        this.#wanted = after;
        break;
      }
      frames.push({ id: Number(id), tool, input: rest.toString('utf8', end + 1, after) });
      rest = rest.subarray(after);
    }
    if (this.#wanted === 0 && rest.length > LONGEST_HEADER) return this.#break();
    this.#held = [rest];
    this.#size = rest.length;
    return frames;
  }

  #break(): 'broken' {
    this.#isBroken = true;
    this.#held = [];
    return 'broken';
  }
}

/** What the program gets back. */
export function answerFrame(id: number, kind: 'ok' | 'error', text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from(`${id} ${kind} ${bytes.length}\n`), bytes]);
}
