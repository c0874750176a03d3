// A name, what stands between it and its value, and the value: as JSON, YAML, INI, XML, environments, query strings,
// headers and flags write them. Nothing here judges whether the value is a secret.
import type { Scan } from './scan.ts';
import type { Name } from './secret-name.ts';
import { matchAt } from './sticky.ts';
import { withoutEnd } from './text-ends.ts';

const LONGEST_NAME = 100;
export const LONGEST_VALUE = 1024;

/** What looks cost, in steps. */
const [FIELD_STEPS, VALUE_STEPS, BLOCK_STEPS] = [450, 200, 500];

/** What can stand behind a name: quotes, spaces, marks of an assignment, an element's end, a line's. */
const MAY_FOLLOW: ReadonlySet<number> = new Set(
  [...'"\'`\\ \t:=%>,\r\n'].map(letter => letter.charCodeAt(0)),
);
const NAME = /[A-Za-z0-9_.-]*/y;
/** `=`, `:`, `=>`, `:=`, `: str =`, `==`, with quotes of the name before it; `%3D` in a query inside a query. */
const SEPARATOR =
  /(?:\\{0,3}["'`]\]?)?[ \t]{0,40}(:[ \t]{0,8}(?:str|string|String|bytes|text)(?:[ \t]{0,8}\|[ \t]{0,8}\w{1,40})?[ \t]{0,8}=(?!=)|={1,3}>?|:{1,2}=?|%3D|\\u003d)[ \t]{0,40}/iy;
/** What an XML element holds, with the beginning of its end. */
const ELEMENT = />[^<>\r\n]{1,1024}<\//y;
const FLAG_GAP = /[ \t]{1,4}/y;
/** `password hunter…`, `the token is …`; only a value that can be nothing else counts there. */
const WORD_GAP = /[ \t]{1,4}(?:is:?[ \t]{1,2})?/y;
/** `name: TOKEN` and `value: …` beside or below it. */
const PAIR = /["']?[ \t]{0,40},?[ \t]{0,40}(?:\r?\n[ \t]{0,80})?["']?value["']?[ \t]{0,40}[:=][ \t]{0,40}/iy;
const BEFORE_PAIR = /(?:name|key)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?$/i;
/** `define('DB_PASSWORD', '…')` */
const NEXT_ARGUMENT = /["'][ \t]{0,8},[ \t]{0,8}(?=["'])/y;
const BEFORE_DEFINE = /(?:define|setenv|setdefault)\([ \t]{0,4}["']$/i;
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
const LINE = /[^\r\n]{0,200}/y;
/** With what these can begin. */
const [MAY_OPEN, MAY_REFER, MAY_BE_SCHEME] = [/["'`\\bfrBFR$]/, /[{$<]/, /[abdnt]/i];
const REFERENCE = /(?:\$\{\{|\{\{|\$\{|\$\(|<)[^\r\n]{0,200}?(?:\}\}|\}|\)|>)|\$\w+/y;
const LINE_BEFORE_NAME =
  /(?:^|[\r\n])[ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|ARG[ \t]+|-[ \t]+|\+[ \t]*|\$[ \t]+)?$/;

export interface Field {
  readonly name: Name;
  /** As it is written, but for a space after a flag (` `), an XML element (`>`), and a space after any other word (`gap`). */
  readonly separator: string;
  /** Where the name begins. */
  readonly start: number;
  readonly valueAt: number;
}

/** The whole name around an anchor, and where its value begins; nothing when no value follows, or it is no secret's. */
export function fieldAround(scan: Scan, at: number): Field | undefined {
  // Another word of the same name led here before.
  if (at < scan.lastNameEnd) return undefined;
  const { text } = scan;
  const end = scan.runEnd(NAME, at);
  if (end - at > LONGEST_NAME || (end < text.length && !MAY_FOLLOW.has(text.charCodeAt(end))))
    return undefined;
  let start = at;
  while (start > 0 && at - start < LONGEST_NAME && isNameUnit(text.charCodeAt(start - 1))) start--;
  // An escape of JSON before the name ends in a letter that is not the name's.
  if (text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start))) start++;
  scan.lastNameEnd = end;
  scan.spend(FIELD_STEPS + 2 * (end - start));
  const found = separatorAfter(text, start, end);
  if (!found) return undefined;
  const named = scan.nameAt(start, end);
  const name = named.strength === 'no' ? nameInJson(scan, named, start) : named;
  if (!name || name.strength === 'no') return undefined;
  return { name, start, ...found };
}

/** In JSON a mere `"key"` may be one; only a value that can be nothing else makes it so. */
function nameInJson({ text }: Scan, { text: name, words }: Name, start: number): Name | undefined {
  if (name.toLowerCase() !== 'key' || text.charAt(start - 1) !== '"') return undefined;
  return { text: name, words, strength: 'likely', kind: 'key' };
}

function isFirstInLine(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (before === '' || before === '\n' || before === '\r') return true;
  return ' \t+'.includes(before) && LINE_BEFORE_NAME.test(text.slice(Math.max(0, at - 24), at));
}

function separatorAfter(
  text: string,
  start: number,
  end: number,
): Pick<Field, 'separator' | 'valueAt'> | undefined {
  const plain = plainSeparator(text, end);
  if (plain) return plain;
  const found = matchAt(SEPARATOR, text, end);
  if (found) return { separator: found[1] ?? '', valueAt: end + found[0].length };
  if (text.charAt(start - 1) === '<' && matchAt(ELEMENT, text, end))
    return { separator: '>', valueAt: end + 1 };
  const define = /["']/.test(text.charAt(start - 1)) && matchAt(NEXT_ARGUMENT, text, end);
  if (define && BEFORE_DEFINE.test(text.slice(Math.max(0, start - 16), start)))
    return { separator: ':', valueAt: end + define[0].length };
  const pair = BEFORE_PAIR.test(text.slice(Math.max(0, start - 16), start)) && matchAt(PAIR, text, end);
  if (pair) return { separator: ':', valueAt: end + pair[0].length };
  const isFlag = text.startsWith('--', start);
  const gap = matchAt(isFlag ? FLAG_GAP : WORD_GAP, text, end);
  return gap ? { separator: isFlag ? ' ' : 'gap', valueAt: end + gap[0].length } : undefined;
}

/** The same for the simplest of them, which nearly all are. */
function plainSeparator(text: string, end: number): Pick<Field, 'separator' | 'valueAt'> | undefined {
  const at = text.charAt(end) === '"' ? end + 1 : end;
  const separator = text.charAt(at);
  if (separator !== '=' && separator !== ':') return undefined;
  const next = text.charAt(at + 1) === ' ' ? at + 2 : at + 1;
  return /[\w"'$<{[/]/.test(text.charAt(next)) && !/[sbt]/i.test(text.charAt(next))
    ? { separator, valueAt: next }
    : undefined;
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
  /** The rest of the line, for telling a value from a sentence; empty where quotes do that. */
  readonly line: string;
  /** The name begins its line, but for words such as `export`; not asked where there are quotes. */
  readonly isLine: boolean;
}

export function readValue(scan: Scan, field: Field): Value | undefined {
  const { text } = scan;
  const block = field.separator === ':' ? matchAt(BLOCK, text, field.valueAt)?.[0] : undefined;
  const value = valueFrom(
    text,
    block === undefined ? field : { ...field, valueAt: field.valueAt + block.length },
  );
  scan.spend(VALUE_STEPS + (block ? BLOCK_STEPS : 0) + 2 * (value?.text.length ?? 0));
  return value;
}

function valueFrom(text: string, { valueAt, separator, start: nameAt }: Field): Value | undefined {
  const first = text.charAt(valueAt);
  const opened = MAY_OPEN.test(first) ? matchAt(QUOTE, text, valueAt) : null;
  if (opened) {
    const quote = opened[1] ?? '';
    const start = afterScheme(text, valueAt + opened[0].length);
    const end = closingOf(text, start, quote);
    if (end <= start) return undefined;
    const around =
      separator === 'gap'
        ? { line: lineFrom(text, valueAt), isLine: isFirstInLine(text, nameAt) }
        : { line: '', isLine: false };
    return { start, end, text: text.slice(start, end), quote, ...around };
  }
  if (MAY_REFER.test(first) && matchAt(REFERENCE, text, valueAt)) return undefined;
  const start = afterScheme(text, valueAt);
  const isLine = isFirstInLine(text, nameAt);
  const isWide = separator === '=' && (isLine || /[ \t]/.test(text.charAt(nameAt - 1)));
  const found = matchAt(isWide ? BARE_WORD : BARE, text, start)?.[0];
  if (found === undefined) return undefined;
  const value = isWide && !isLine ? withoutNeighbours(found) : found;
  return { start, end: start + value.length, text: value, quote: '', line: lineFrom(text, valueAt), isLine };
}

function lineFrom(text: string, at: number): string {
  return matchAt(LINE, text, at)?.[0] ?? '';
}

/** `password=x, user=y` and `f(password=x)`: what ends the list is not the value's, nor is the next assignment. */
function withoutNeighbours(value: string): string {
  return withoutEnd(value.replace(/[,;&](?=[\w.-]{1,40}=).*$/s, ''), ',;)}]>&|');
}

/** `Authorization: Token …`: the scheme is no secret. */
function afterScheme(text: string, at: number): number {
  if (!MAY_BE_SCHEME.test(text.charAt(at))) return at;
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
  const first = mark.charCodeAt(0);
  for (let at = start; at < limit; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || unit === 13 || (unit === first && text.startsWith(mark, at))) return at;
    if (unit === 92 && !isEscaped) at++;
  }
  return limit;
}
