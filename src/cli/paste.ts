// What is pasted into a terminal, told from what is typed. A terminal in bracketed paste mode sends marks around it; its
// line breaks are no Enter then.
import { StringDecoder } from 'node:string_decoder';

export const ASK_FOR_MARKS = '\x1b[?2004h';
export const NO_MORE_MARKS = '\x1b[?2004l';

const BEGIN = '\x1b[200~';
const END = '\x1b[201~';

/** Stands for a line break while the line is edited, and in the history. */
const BREAK = '␤';

/** Text as it was pasted or typed, from a line of the editor. */
export function withBreaks(line: string): string {
  return line.replaceAll(BREAK, '\n');
}

/** Takes what the terminal sends, in pieces cut anywhere, and gives what an editor of lines can take. */
export class PasteReader {
  readonly #decoder = new StringDecoder('utf8');
  #pasted: string | undefined;
  #held = '';

  push(chunk: Uint8Array): string {
    let rest = this.#held + this.#decoder.write(chunk);
    this.#held = '';
    let given = '';
    for (;;) {
      const mark = this.#pasted === undefined ? BEGIN : END;
      const at = rest.indexOf(mark);
      const upTo = at === -1 ? rest.length - this.#begun(rest, mark) : at;
      const text = rest.slice(0, upTo);
      if (this.#pasted === undefined) given += text;
      else this.#pasted += text;
      if (at === -1) {
        this.#held = rest.slice(upTo);
        return given;
      }
      if (this.#pasted !== undefined) given += editable(this.#pasted);
      this.#pasted = this.#pasted === undefined ? '' : undefined;
      rest = rest.slice(at + mark.length);
    }
  }

  /** How much of the end may be the beginning of the mark. An Escape alone is a key, and waits for nothing. */
  #begun(text: string, mark: string): number {
    const least = this.#pasted === undefined ? '\x1b['.length : 1;
    for (let length = mark.length - 1; length >= least; length--)
      if (text.endsWith(mark.slice(0, length))) return length;
    return 0;
  }
}

/** What is pasted presses no key: neither Enter at its end nor anything that controls the editor. */
function editable(pasted: string): string {
  const text = pasted.replace(/[\r\n]+$/, '');
  return text.replace(/\r\n?|\n/g, BREAK).replace(/[^\P{Cc}\t]/gu, '');
}
