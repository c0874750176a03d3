// Tokens without a beginning of their own: they are told by a mark in their middle and by what stands around it.
import type { Scan } from './scan.ts';
import { isWordStart, RANK, type Span } from './shape.ts';
import { matchAt } from './sticky.ts';

interface PivotToken {
  readonly kind: string;
  /** Where the token with its pivot at `at` begins; -1 when none does. Reads as much as a token may have there. */
  readonly startOf: (text: string, at: number, scan: Scan) => number;
  /** Sticky, from the pivot on. */
  readonly after: RegExp;
}

const telegram: PivotToken = {
  kind: 'telegram-token',
  startOf(text, at) {
    const digits = runBefore(text, at, 11, isDigit);
    return digits >= 8 && digits <= 10 ? at - digits : -1;
  },
  after: /:[\w-]{34,40}(?![\w-])/y,
};

const discord: PivotToken = {
  kind: 'discord-token',
  startOf(text, at) {
    for (let length = runBefore(text, at, 29, isWordOrDash); length >= 23; length--)
      if ('MNO'.includes(text.charAt(at - length))) return at - length;
    return -1;
  },
  after: /\.[\w-]{6}\.[\w-]{27,45}/y,
};

const vault: PivotToken = {
  kind: 'vault-token',
  startOf: (text, at, scan) =>
    isWordStart(scan, at - 1) && !'.$)]-'.includes(text.charAt(at - 2) || ' ') ? at - 1 : -1,
  after: /\.(?=[A-Za-z]{0,23}\d)(?=[A-Z0-9]{0,23}[a-z])(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\w.(-])/y,
};

const mailgun: PivotToken = {
  kind: 'mailgun-key',
  startOf: (text, at) =>
    runBefore(text, at, 32, isHex) === 32 && !/[0-9a-z-]/.test(text.charAt(at - 33)) ? at - 32 : -1,
  after: /-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9A-Za-z-])/y,
};

const [POINT, COLON, DASH, SMALL_S] = [46, 58, 45, 115];

export function pivotSpans(scan: Scan): Span[] {
  const { text } = scan;
  const spans: Span[] = [];
  for (let at = 1; at < text.length; at++) {
    const token = candidate(text, at);
    const rest = token && matchAt(token.after, text, at);
    const start = rest ? token.startOf(text, at, scan) : -1;
    if (rest && start >= 0)
      spans.push({ start, end: at + rest[0].length, kind: token.kind, rank: RANK.token });
  }
  return spans;
}

/** Cheap, and nothing nearly everywhere. */
function candidate(text: string, at: number): PivotToken | undefined {
  const unit = text.charCodeAt(at);
  if (unit > COLON || unit < DASH) return undefined;
  if (unit === POINT) {
    const before = text.charCodeAt(at - 1);
    if (!isWordOrDash(before)) return undefined;
    if (text.charCodeAt(at + 7) === POINT) return discord;
    return before === SMALL_S && isDigitOrLetter(text.charCodeAt(at + 24)) ? vault : undefined;
  }
  if (unit === COLON)
    return isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at - 8)) ? telegram : undefined;
  if (unit !== DASH) return undefined;
  return text.charCodeAt(at + 9) === DASH && isHex(text.charCodeAt(at - 1)) ? mailgun : undefined;
}

/** How many units of a kind stand before `at`, counted up to `most`. */
function runBefore(text: string, at: number, most: number, is: (unit: number) => boolean): number {
  let count = 0;
  while (count < most && is(text.charCodeAt(at - count - 1))) count++;
  return count;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isHex(unit: number): boolean {
  return isDigit(unit) || (unit >= 97 && unit <= 102);
}

function isDigitOrLetter(unit: number): boolean {
  const letter = unit | 0x20;
  return isDigit(unit) || (letter >= 97 && letter <= 122);
}

function isWordOrDash(unit: number): boolean {
  return isDigitOrLetter(unit) || unit === 95 || unit === 45;
}
