// A name, what stands between it and its value, and the value: as JSON, YAML, INI, XML, environments, query strings,
// headers and flags write them. Nothing here judges whether the value is a secret.
import { type NameStrength, nameStrength } from './secret-name.ts';
import { matchAt } from './sticky.ts';

const LONGEST_NAME = 100;
export const LONGEST_VALUE = 1024;

const REST_OF_NAME = /[A-Za-z0-9_.-]{0,100}/y;
/** `=`, `:`, `=>`, `:=`, `: str =`, `==`, with quotes of the name before it; `%3D` in a query inside a query. */
const SEPARATOR =
  /(?:\\{0,3}["'`]\]?)?(?:\x1b\[[\d;]*m)?[ \t]{0,40}(:[ \t]{0,8}(?:str|string|String|bytes|text)(?:[ \t]{0,8}\|[ \t]{0,8}\w{1,40})?[ \t]{0,8}=(?!=)|={1,3}>?|:{1,2}=?|%3D|\\u003d)(?:\x1b\[[\d;]*m)?[ \t]{0,40}(?:\x1b\[[\d;]*m)?/iy;
/** What an XML element holds, with the beginning of its end. */
const ELEMENT = />[^<>\r\n]{1,1024}<\//y;
const FLAG_GAP = /[ \t]{1,4}/y;
/** `password hunter…`, `the token is …`; only a value that can be nothing else counts there. */
const WORD_GAP = /[ \t]{1,4}(?:is:?[ \t]{1,2})?/y;
/** `name: TOKEN` and `value: …` beside or below it. */
const PAIR = /["']?[ \t]*,?[ \t]*(?:\r?\n[ \t]*)?["']?value["']?[ \t]*[:=][ \t]*/iy;
const BEFORE_PAIR = /(?:name|key)["']?[ \t]*[:=][ \t]*["']?$/i;
/** `token: >-` or `token: |`: the value begins on the next line, farther in. */
const BLOCK = /[>|][+-]?\d?[+-]?[ \t]{0,8}\r?\n[ \t]{1,40}/y;
/** A line after which such a value may come. */
const PAIR_LINE =
  /(?:name|key)["']?[ \t]*[:=][ \t]*["']?[\w.-]{1,100}["']?[ \t]*,?[ \t]*\r?$|[\w.-]["']?[ \t]{0,40}:[ \t]{1,40}[>|][+-]?\d?[+-]?[ \t]{0,8}\r?$/i;
const QUOTE = /(?:[bfrBFR]|\$)?(\\{0,3}["'`]{1,3})/y;
const BARE = /[^\s"'`,;&<>|(){}[\]\\]{1,1024}/y;
/** Of an assignment that is a word of its own only space ends the value; an escape of JSON does so too. */
const BARE_WORD = /(?:[^\s"'`\\]|\\(?![nrtu"'`\s])){1,1024}/y;
const SCHEME = /(?:basic|bearer|token|apikey|digest|negotiate)[ \t]{1,4}(?=[^\s"'`])/iy;
const REFERENCE = /(?:\$\{\{|\{\{|\$\{|\$\(|<)[^\r\n]{0,200}?(?:\}\}|\}|\)|>)|\$\w+/y;
const LINE_BEFORE_NAME =
  /(?:^|[\r\n])[ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|ARG[ \t]+|-[ \t]+|\+[ \t]*|\$[ \t]+)?$/;

export interface Field {
  readonly name: string;
  readonly strength: NameStrength;
  /** As it is written, but for a space after a flag (` `), an XML element (`>`), and a space after any other word (`gap`). */
  readonly separator: string;
  /** The name begins its line, but for words such as `export`. */
  readonly isLine: boolean;
  /** The name has space before it, or begins its line. */
  readonly isWord: boolean;
  readonly valueAt: number;
}

/** The whole name around an anchor, and where its value begins; nothing when no value follows, or it is no secret's. */
export function fieldAround(text: string, at: number): Field | undefined {
  let start = at;
  while (start > 0 && at - start < LONGEST_NAME && isNameUnit(text.charCodeAt(start - 1))) start--;
  // An escape of JSON before the name ends in a letter that is not the name's.
  if (text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start))) start++;
  const end = at + (matchAt(REST_OF_NAME, text, at)?.[0].length ?? 0);
  const found = separatorAfter(text, start, end);
  if (!found) return undefined;
  const name = text.slice(start, end);
  const strength = nameStrength(name);
  if (strength === 'no') return undefined;
  const isLine = start === 0 || LINE_BEFORE_NAME.test(text.slice(Math.max(0, start - 24), start));
  const isWord = isLine || /[ \t]/.test(text.charAt(start - 1));
  return { name, strength, isLine, isWord, ...found };
}

function separatorAfter(
  text: string,
  start: number,
  end: number,
): Pick<Field, 'separator' | 'valueAt'> | undefined {
  const found = matchAt(SEPARATOR, text, end);
  if (found) return { separator: found[1] ?? '', valueAt: end + found[0].length };
  if (text.charAt(start - 1) === '<' && matchAt(ELEMENT, text, end))
    return { separator: '>', valueAt: end + 1 };
  const pair = matchAt(PAIR, text, end);
  if (pair && BEFORE_PAIR.test(text.slice(Math.max(0, start - 16), start))) {
    return { separator: ':', valueAt: end + pair[0].length };
  }
  const isFlag = text.startsWith('--', start);
  const gap = matchAt(isFlag ? FLAG_GAP : WORD_GAP, text, end);
  return gap ? { separator: isFlag ? ' ' : 'gap', valueAt: end + gap[0].length } : undefined;
}

/** Whether the value to a name on this line may stand on the next one. */
export function isHalfAPair(line: string): boolean {
  return PAIR_LINE.test(line);
}

function isNameUnit(unit: number): boolean {
  const letter = unit | 0x20;
  return (
    (letter >= 97 && letter <= 122) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45 || unit === 46
  );
}

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly quote: string;
  /** The rest of the line, for telling a value from a sentence. */
  readonly line: string;
}

export function readValue(text: string, field: Field): Value | undefined {
  const block = field.separator === ':' ? matchAt(BLOCK, text, field.valueAt)?.[0] : undefined;
  return valueFrom(text, block === undefined ? field : { ...field, valueAt: field.valueAt + block.length });
}

function valueFrom(text: string, { valueAt, separator, isLine, isWord }: Field): Value | undefined {
  const line = /^[^\r\n]{0,200}/.exec(text.slice(valueAt, valueAt + 200))?.[0] ?? '';
  const opened = matchAt(QUOTE, text, valueAt);
  if (opened) {
    const quote = opened[1] ?? '';
    const start = afterScheme(text, valueAt + opened[0].length);
    const end = closingOf(text, start, quote);
    return end > start ? { start, end, text: text.slice(start, end), quote, line } : undefined;
  }
  if (matchAt(REFERENCE, text, valueAt)) return undefined;
  const start = afterScheme(text, valueAt);
  const isWide = separator === '=' && isWord;
  const found = matchAt(isWide ? BARE_WORD : BARE, text, start)?.[0];
  if (found === undefined) return undefined;
  const value = isWide && !isLine ? withoutNeighbours(found) : found;
  return { start, end: start + value.length, text: value, quote: '', line };
}

/** `password=x, user=y` and `f(password=x)`: what ends the list is not the value's, nor is the next assignment. */
function withoutNeighbours(value: string): string {
  return value.replace(/[,;&](?=[\w.-]{1,40}=).*$/s, '').replace(/[,;)}\]>&|]+$/, '');
}

/** `Authorization: Token …`: the scheme is no secret. */
function afterScheme(text: string, at: number): number {
  return at + (matchAt(SCHEME, text, at)?.[0].length ?? 0);
}

/** Where a quoted text ends: at its quote, at the end of the line, or where it gets too long. */
function closingOf(text: string, start: number, quote: string): number {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  // Three are one pair and the beginning of another text, unless they are all the same: then it is a long text.
  const mark =
    quote.length > 1 && !quote.startsWith('\\') && !/^(.)\1\1$/.test(quote) ? quote.charAt(0) : quote;
  if (/^(["'`])\1$/.test(quote)) return start;
  const isEscaped = mark.startsWith('\\');
  for (let at = start; at < limit; at++) {
    const letter = text.charAt(at);
    if (letter === '\n' || letter === '\r') return at;
    if (text.startsWith(mark, at)) return at;
    if (letter === '\\' && !isEscaped) at++;
  }
  return limit;
}
