// Passwords that are written into the input of a program that reads one there: `echo … | sudo -S`, `sudo -S <<< …`.
import { isPlaceholder } from './placeholder.ts';
import { isWordStart, RANK, type Shape, type Span } from './shape.ts';
import { matchAt } from './sticky.ts';

const WORD = /["']?([^\s"'|;&<>]{3,200})/;
/** From the anchor on: whether the program reads a password from its input. */
const READER =
  /sudo(?=[ \t])[^\r\n|;&<]{0,80}?[ \t](?:-[a-zA-Z]{0,5}S[a-zA-Z]{0,5}|--stdin)(?![\w-])|chpasswd(?![\w-])|--(?:password-|pass-)?stdin(?![\w-])/y;
const HERE = new RegExp(`[^\\r\\n|;&<]{0,200}<<<[ \\t]{0,4}${WORD.source}`, 'y');
/** What is written into it, before the pipe. */
const WRITTEN = new RegExp(
  `(?:echo|printf)[ \\t]{1,4}(?:-[neE]{1,3}[ \\t]{1,4}|["']?%s(?:\\\\n)?["']?[ \\t]{1,4}){0,2}${WORD.source}(?:\\\\n)?["']?[ \\t]{0,4}$`,
);
const LONGEST_BEFORE = 300;
/** Of a look, in steps. */
const PRICE = 900;

export const pipedPasswords: Shape = {
  anchors: ['sudo', 'chpasswd', '--stdin', '--password-stdin', '--pass-stdin'],
  letters: 'exact',
  find(text, at, scan) {
    if (!isWordStart(scan, at)) return [];
    const reader = matchAt(READER, text, at)?.[0];
    if (reader === undefined) return [];
    scan.spend(PRICE);
    const here = matchAt(HERE, text, at + reader.length);
    if (here) return passwordIn(here[1] ?? '', at + reader.length + here[0].length, reader);
    const line = text.slice(Math.max(0, at - LONGEST_BEFORE), at);
    const pipe = line.lastIndexOf('|');
    const before = pipe < 0 ? '' : line.slice(line.lastIndexOf('\n', pipe) + 1, pipe);
    const [whole = '', value = ''] = WRITTEN.exec(before) ?? [];
    const end = at - line.length + pipe - whole.length + whole.lastIndexOf(value) + value.length;
    return passwordIn(value, end, reader);
  },
};

/** `chpasswd` is given the name of the user too. */
function passwordIn(value: string, end: number, reader: string): readonly Span[] {
  const password = reader === 'chpasswd' ? value.slice(value.indexOf(':') + 1) : value.replace(/\\n$/, '');
  const stop = end - (value.length - password.length) * (reader === 'chpasswd' ? 0 : 1);
  if (password.length < 3 || isPlaceholder(password)) return [];
  return [{ start: stop - password.length, end: stop, kind: 'password', rank: RANK.named }];
}
