// Reads server-sent events out of a stream of text, as the HTML standard has them. Pure but for what it has read so far.

export interface ServerEvent {
  readonly id: string | undefined;
  /** Undefined when it was too large to keep. */
  readonly data: string | undefined;
}

/** More than anything that signal-cli says. */
const LARGEST_DATA = 4 * 1024 * 1024;
/** What can stand in a header; others could not be asked for again. */
const USABLE_ID = /^[\x21-\x7e]{1,128}$/;

export class ServerEventReader {
  #line = '';
  #isLineTooLong = false;
  #lines: string[] = [];
  #size = 0;
  #id: string | undefined;
  #hasData = false;

  /** The events that end in this piece. */
  read(piece: string): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    let from = 0;
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', from)) {
      this.#append(piece.slice(from, at));
      from = at + 1;
      const event = this.#endLine();
      if (event) events.push(event);
    }
    this.#append(piece.slice(from));
    return events;
  }

  #append(text: string): void {
    if (this.#line.length + text.length > LARGEST_DATA) this.#isLineTooLong = true;
    // Its name stands at the beginning.
    this.#line = this.#isLineTooLong ? (this.#line + text.slice(0, 64)).slice(0, 64) : this.#line + text;
  }

  #endLine(): ServerEvent | undefined {
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    const isTooLong = this.#isLineTooLong;
    this.#line = '';
    this.#isLineTooLong = false;
    if (line === '') return this.#endEvent();
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'id' && USABLE_ID.test(value)) this.#id = value;
    if (name === 'data') this.#keep(isTooLong ? undefined : value);
    return undefined;
  }

  #keep(value: string | undefined): void {
    this.#hasData = true;
    this.#size += value?.length ?? LARGEST_DATA + 1;
    if (value !== undefined && this.#size <= LARGEST_DATA) this.#lines.push(value);
  }

  #endEvent(): ServerEvent | undefined {
    const event = this.#hasData
      ? { id: this.#id, data: this.#size > LARGEST_DATA ? undefined : this.#lines.join('\n') }
      : undefined;
    this.#lines = [];
    this.#size = 0;
    this.#hasData = false;
    this.#id = undefined;
    return event;
  }
}
