// Reads a sed program as sed does: what it runs, and the files it writes and reads.
import { flagValues, hasFlag, operands, type SimpleCommand, UNKNOWN } from '../command.ts';

export interface SedScript {
  /** Shell text that GNU sed would run; UNKNOWN where it runs the lines it reads. */
  readonly runs: readonly string[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
}

const NOTHING: SedScript = { runs: [], writes: [], reads: [] };

/** All programs that are given to one sed. */
export function sedScripts(command: SimpleCommand): SedScript {
  const given = flagValues(command, 'e', 'expression');
  const isFed = flagValues(command, 'f', 'file').some(path => path === '-' || path === '/dev/stdin');
  const isInFile = hasFlag(command, 'f', 'file');
  const texts =
    given.length > 0 || isInFile
      ? [...given, ...(isFed ? [command.input?.text ?? ''] : [])]
      : operands(command, ['l']).slice(0, 1);
  return texts.map(parseSed).reduce(joined, NOTHING);
}

function joined(a: SedScript, b: SedScript): SedScript {
  return {
    runs: [...a.runs, ...b.runs],
    writes: [...a.writes, ...b.writes],
    reads: [...a.reads, ...b.reads],
  };
}

/** Where the reading is; `end` is behind the last character. */
interface Place {
  at: number;
}

interface Found {
  readonly runs: string[];
  readonly writes: string[];
  readonly reads: string[];
}

function parseSed(text: string): SedScript {
  const found: Found = { runs: [], writes: [], reads: [] };
  const place: Place = { at: 0 };
  while (place.at < text.length) {
    skip(text, place, /[\s;{}]/);
    skipAddresses(text, place);
    readCommand(text, place, found);
  }
  return found;
}

function skip(text: string, place: Place, signs: RegExp): void {
  while (place.at < text.length && signs.test(text[place.at] ?? '')) place.at++;
}

/** `1`, `$`, `/x/I`, `\cxc`, `1~2`, `/a/,+3`, `2,$!`. */
function skipAddresses(text: string, place: Place): void {
  for (;;) {
    const sign = text[place.at] ?? '';
    if (/[\d$,~+!\s]/.test(sign) && sign !== '') place.at++;
    else if (sign === '/') {
      part(text, place, '/');
      skip(text, place, /[IM]/);
    } else if (sign === '\\') {
      place.at++;
      part(text, place, text[place.at] ?? '');
      skip(text, place, /[IM]/);
    } else return;
  }
}

/** From one delimiter to the next, and behind it; a delimiter in brackets or behind a backslash is text. */
function part(text: string, place: Place, delimiter: string): string {
  const start = ++place.at;
  for (; place.at < text.length && text[place.at] !== delimiter; place.at++)
    if (text[place.at] === '\\') place.at++;
  return text.slice(start, place.at++);
}

function line(text: string, place: Place): string {
  const end = text.indexOf('\n', place.at);
  const rest = text.slice(place.at, end === -1 ? text.length : end);
  place.at = end === -1 ? text.length : end + 1;
  return rest.trim();
}

function readCommand(text: string, place: Place, found: Found): void {
  const name = text[place.at++];
  switch (name) {
    case 's':
      readSubstitution(text, place, found);
      break;
    case 'y': {
      const delimiter = text[place.at] ?? '';
      part(text, place, delimiter);
      place.at--;
      part(text, place, delimiter);
      break;
    }
    case 'e':
      found.runs.push(line(text, place) || UNKNOWN);
      break;
    case 'w':
    case 'W':
      found.writes.push(line(text, place));
      break;
    case 'r':
    case 'R':
      found.reads.push(line(text, place));
      break;
    case 'a':
    case 'i':
    case 'c':
    case '#':
    case ':':
    case 'b':
    case 't':
    case 'T':
      if (/[bt:]/i.test(name)) {
        skip(text, place, /[ \t]/);
        skip(text, place, /[^\s;}]/);
      } else line(text, place);
      break;
    default:
      break;
  }
}

function readSubstitution(text: string, place: Place, found: Found): void {
  const delimiter = text[place.at] ?? '';
  const pattern = part(text, place, delimiter);
  place.at--;
  const replacement = part(text, place, delimiter);
  for (; place.at < text.length; place.at++) {
    const flag = text[place.at] ?? '';
    if (flag === 'e') {
      found.runs.push(plain(replacement));
      // What stands around the match runs too.
      if (!/^\^?\.\*\$?$/.test(pattern)) found.runs.push(UNKNOWN);
    } else if (flag === 'w') {
      place.at++;
      found.writes.push(line(text, place));
      return;
    } else if (!/[gpiImM\d]/.test(flag)) return;
  }
}

/** As it is put in: `&` and `\1` are what was found. */
function plain(replacement: string): string {
  return replacement
    .replace(/\\[0-9]|(?<!\\)&/g, UNKNOWN)
    .replace(/\\n/g, '\n')
    .replace(/\\(.)/g, '$1');
}
