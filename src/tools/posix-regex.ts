// Regular expressions as models write them, as grep -E reads them. Pure.

export type PosixRegex =
  | { readonly kind: 'regex'; readonly text: string }
  /** It cannot be said in POSIX; the reason is for the model. */
  | { readonly kind: 'unsupported'; readonly reason: string };

const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: '[:alnum:]_', s: '[:space:]' };
const LETTERS: Readonly<Record<string, string>> = { t: '\t', f: '\f', v: '\v', r: '\r' };

export function posixRegex(pattern: string): PosixRegex {
  if (/\\n|\n/.test(pattern)) return unsupported('a match lies within one line; leave the line break out');
  if (/\(\?(?!:)/.test(pattern))
    return unsupported('look-around, named groups and inline flags are not known');
  let text = '';
  for (let at = 0; at < pattern.length; ) {
    const step = nextOf(pattern, at);
    if (step === undefined) return unsupported('a bracket [ is not closed');
    text += step.text;
    at = step.end;
  }
  return { kind: 'regex', text };
}

interface Step {
  readonly text: string;
  readonly end: number;
}

function nextOf(pattern: string, at: number): Step | undefined {
  const sign = pattern[at] ?? '';
  if (sign === '\\') return { text: escaped(pattern[at + 1] ?? ''), end: at + 2 };
  if (sign === '[') return bracket(pattern, at);
  if (pattern.startsWith('(?:', at)) return { text: '(', end: at + 3 };
  // A lazy quantifier finds the same lines as a greedy one.
  if (/[*+?}]/.test(sign) && pattern[at + 1] === '?') return { text: sign, end: at + 2 };
  return { text: sign, end: at + 1 };
}

function escaped(letter: string): string {
  const inside = CLASSES[letter.toLowerCase()];
  if (inside !== undefined) return letter === letter.toLowerCase() ? `[${inside}]` : `[^${inside}]`;
  return LETTERS[letter] ?? `\\${letter}`;
}

/** In a POSIX bracket a backslash is a letter like any other, and `]` stands for itself only at its beginning. */
function bracket(pattern: string, start: number): Step | undefined {
  const isNegated = pattern[start + 1] === '^';
  let at = start + (isNegated ? 2 : 1);
  let [inside, closing, dash, caret] = ['', '', '', ''];
  for (let first = true; at < pattern.length; first = false) {
    const sign = pattern[at] ?? '';
    if (sign === ']' && !first) {
      if (closing + inside + dash === '' && !isNegated) return { text: '\\^', end: at + 1 };
      const body = closing + inside === '' ? dash + caret : closing + inside + caret + dash;
      return { text: `[${isNegated ? '^' : ''}${body}]`, end: at + 1 };
    }
    const named = /^\[:[a-z]+:\]/.exec(pattern.slice(at, at + 12))?.[0];
    if (named !== undefined) {
      inside += named;
      at += named.length;
      continue;
    }
    const letter = sign === '\\' ? (pattern[at + 1] ?? '') : sign;
    at += sign === '\\' ? 2 : 1;
    if (letter === ']') closing = ']';
    else if (sign === '\\' && letter === '-') dash = '-';
    else if (sign === '\\' && letter === '^') caret = '^';
    else inside += sign === '\\' ? (CLASSES[letter] ?? LETTERS[letter] ?? letter) : letter;
  }
  return undefined;
}

function unsupported(reason: string): PosixRegex {
  return { kind: 'unsupported', reason };
}
