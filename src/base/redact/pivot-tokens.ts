// Tokens without a beginning of their own: they are told by a mark in their middle and by what stands around it.
import { isWordStart, RANK, type Span } from './shape.ts';
import { matchAt } from './sticky.ts';

interface PivotToken {
  readonly kind: string;
  readonly pivot: ':' | '.' | '-';
  /** Cheap and often false: only then are the expressions tried. */
  readonly isWorthALook: (text: string, at: number) => boolean;
  readonly before: RegExp;
  /** Sticky, from the pivot on. */
  readonly after: RegExp;
}

/** No token has more before its pivot. */
const BEFORE = 48;

const pivotTokens: readonly PivotToken[] = [
  {
    kind: 'telegram-token',
    pivot: ':',
    isWorthALook: (text, at) => isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at - 8)),
    before: /(?<!\d)\d{8,10}$/,
    after: /:[\w-]{34,40}(?![\w-])/y,
  },
  {
    kind: 'discord-token',
    pivot: '.',
    isWorthALook: (text, at) => text.charCodeAt(at + 7) === 46,
    before: /[MNO][\w-]{22,28}$/,
    after: /\.[\w-]{6}\.[\w-]{27,45}/y,
  },
  {
    kind: 'vault-token',
    pivot: '.',
    isWorthALook: (text, at) =>
      text.charAt(at - 1) === 's' && isDigitOrLetter(text.charCodeAt(at + 24)) && isWordStart(text, at - 1),
    before: /(?<![.$)\]-])s$/,
    after: /\.(?=[A-Za-z]{0,23}\d)(?=[A-Z0-9]{0,23}[a-z])(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\w.(-])/y,
  },
  {
    kind: 'mailgun-key',
    pivot: '-',
    isWorthALook: (text, at) => text.charCodeAt(at + 9) === 45,
    before: /(?<![0-9a-z-])[0-9a-f]{32}$/,
    after: /-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9A-Za-z-])/y,
  },
];

export function pivotSpans(text: string): Span[] {
  return pivotTokens.flatMap(token => spansOf(text, token));
}

function spansOf(text: string, { kind, pivot, isWorthALook, before, after }: PivotToken): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(pivot); at !== -1; at = text.indexOf(pivot, at + 1)) {
    if (!isWorthALook(text, at)) continue;
    const head = before.exec(text.slice(Math.max(0, at - BEFORE), at));
    const rest = head && matchAt(after, text, at);
    if (!rest) continue;
    spans.push({ start: at - head[0].length, end: at + rest[0].length, kind, rank: RANK.token });
  }
  return spans;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isDigitOrLetter(unit: number): boolean {
  const letter = unit | 0x20;
  return isDigit(unit) || (letter >= 97 && letter <= 122);
}
