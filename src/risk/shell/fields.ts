// Puts a word together out of its parts, as the shell does: alternatives multiply, unquoted expansions split.
import { UNKNOWN } from '../command.ts';

const MAX_FIELDS = 256;
/** An unquoted value may be split into so many. */
const MAX_WORDS = 2_000;
/** As long as a whole command may be. */
const MAX_CHARACTERS = 64 * 1024;

/** A word under construction. `open` are the fields that still grow; more than one where a part had alternatives. */
export class Fields {
  #done: string[] = [];
  #open: string[] = [''];
  #isQuoted = false;
  #isTooMuch = false;
  /** Whether it is one of several values rather than several words. */
  isEither = false;

  text(text: string): void {
    const [only] = this.#open;
    if (this.#open.length !== 1 || only === undefined) this.#grow(this.#open.map(field => field + text));
    else if (only.length + text.length > MAX_CHARACTERS) this.#isTooMuch = true;
    else this.#open[0] = only + text;
  }

  #grow(fields: string[]): void {
    this.#isTooMuch ||= fields.some(field => field.length > MAX_CHARACTERS);
    this.#open = this.#isTooMuch ? [''] : fields;
  }

  quoted(): void {
    this.#isQuoted = true;
  }

  /** Each becomes a word of its own, as `{a,b}` does. */
  each(items: readonly string[]): void {
    if (this.#open.length * items.length > MAX_FIELDS) this.#isTooMuch = true;
    else this.#grow(this.#open.flatMap(field => items.map(item => field + item)));
  }

  /** Each is a word as it stands, as of `"$@"`; none of them is no word at all. */
  words(items: readonly string[]): void {
    const [first, ...rest] = items;
    if (first === undefined) {
      this.#isQuoted = false;
      return;
    }
    this.text(first);
    const last = rest.pop();
    if (last === undefined) return;
    this.#done.push(...this.#open, ...rest);
    this.#open = [last];
    if (this.#done.length > MAX_WORDS) this.#isTooMuch = true;
  }

  /** One of several values; unquoted ones are split at blanks. */
  value(
    values: readonly string[],
    { isQuoted, separators = ' ' }: { isQuoted: boolean; separators?: string },
  ): void {
    if (values.length > 1) this.isEither = true;
    if (isQuoted || values.length > 1) this.each(values);
    else this.#split(values[0] ?? '', separators);
  }

  #split(value: string, separators: string): void {
    const [first = '', ...rest] = pieces(value, separators);
    this.text(first);
    const last = rest.pop();
    if (last === undefined) return;
    this.#done.push(...this.#open.filter(field => field !== ''), ...rest);
    this.#open = [last];
    if (this.#done.length > MAX_WORDS) this.#isTooMuch = true;
  }

  end(): string[] {
    if (this.#isTooMuch) return [UNKNOWN];
    const open = this.#open.filter(field => field !== '' || this.#isQuoted);
    return [...this.#done, ...open];
  }
}

/** At blanks, or at whatever \`IFS\` was set to. */
function pieces(value: string, separators: string): string[] {
  if (separators.trim() === '') return value.split(/[ \t\n]+/);
  const signs = new Set([...separators]);
  return [...value]
    .map(sign => (signs.has(sign) ? '\0' : sign))
    .join('')
    .split(/\0+/);
}
