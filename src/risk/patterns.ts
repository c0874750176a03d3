// How commands are compared with the owner's lists. `*` stands for any text, `\*` for itself; there is no other sign.
import { canonicalText, isWithin, partsOf } from './command-parts.ts';

/** Signs that begin another command or word, or that a shell makes several words or another path of. */
const UNSAFE = /[;|&<>$`\n\r(){}\\\s'"*?[\]!]/;

/**
 * Whether an entry of the allowlist covers the whole command. What `*` stands for is part of one word: no other word, no
 * flag, no shell operator, and no way up. So `git *` covers `git status`, but neither `git push origin` nor
 * `git status; rm -rf /`.
 */
export function isAllowedBy(entry: string, command: string): boolean {
  const [wanted, text] = [entry.trim(), command.trim()];
  if (wanted === '' || text === '' || isShape(wanted)) return false;
  return gapsOf(wanted, text)?.every(isPlainGap) ?? false;
}

function isPlainGap({ text, before }: Gap): boolean {
  const isFlag = /(?:^|\s)$/.test(before) && text.startsWith('-');
  return !UNSAFE.test(text) && !isFlag && !/(?:^|\/)\.\.(?:\/|$)/.test(text);
}

/**
 * Whether an entry of the deny list forbids a command: the text itself, its beginning, a pattern for it, or the same
 * program with at least these flags, however they are written, and these words first: `rm -rf` forbids `/bin/rm -f -r x`.
 */
export function isDeniedBy(entry: string, command: string): boolean {
  const [wanted, text] = [entry.trim(), command.trim()];
  if (wanted === '') return false;
  const [only = '', ...more] = piecesOf(wanted);
  if (more.length > 0)
    return (
      gapsOf(wanted, text) !== undefined || gapsOf(canonicalText(wanted), canonicalText(text)) !== undefined
    );
  return text === only || text.startsWith(`${only} `) || isWithin(partsOf(only), partsOf(text));
}

interface Gap {
  readonly text: string;
  /** What stands before it in the pattern. */
  readonly before: string;
}

/** What each `*` stands for, the first possible place taken; undefined when it does not fit. Linear in the text. */
function gapsOf(pattern: string, text: string): Gap[] | undefined {
  const [head = '', ...parts] = piecesOf(pattern);
  if (parts.length === 0) return text === head ? [] : undefined;
  if (!text.startsWith(head)) return undefined;
  const gaps: Gap[] = [];
  let at = head.length;
  let before = head;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = isLast ? (text.endsWith(part) ? text.length - part.length : -1) : text.indexOf(part, at);
    if (found < at) return undefined;
    gaps.push({ text: text.slice(at, found), before });
    at = found + part.length;
    before = part;
  }
  return gaps;
}

/** As an entry that covers this very command and no other. */
export function exactEntry(command: string): string {
  return command.replaceAll('*', '\\*');
}

const SHAPE = 'shape: ';

/** Whether an entry was learned: a program with these flags on files of the work (`known/learned.ts`). */
export function isShape(entry: string): boolean {
  return entry.startsWith(SHAPE);
}

export function shapeEntry(shape: string): string {
  return `${SHAPE}${shape}`;
}

/** The text between the stars. */
function piecesOf(pattern: string): string[] {
  return pattern.split(/(?<!\\)\*/).map(piece => piece.replaceAll('\\*', '*'));
}
