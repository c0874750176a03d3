// How commands are compared with the owner's lists. `*` stands for any text, `\*` for itself; there is no other sign.

const OPERATORS = /[;|&<>$`\n\r(){}\\]/;

/**
 * Whether an entry of the allowlist covers the whole command. What `*` stands for may hold no shell operator, so that
 * `git *` does not cover `git status; rm -rf /`.
 */
export function isAllowedBy(entry: string, command: string): boolean {
  const [wanted, text] = [entry.trim(), command.trim()];
  if (wanted === '' || text === '') return false;
  return gapsOf(wanted, text)?.every(gap => !OPERATORS.test(gap)) ?? false;
}

/** Whether an entry of the deny list forbids a command: the text itself, its beginning, or a pattern for it. */
export function isDeniedBy(entry: string, command: string): boolean {
  const [wanted, text] = [entry.trim(), command.trim()];
  if (wanted === '') return false;
  const [only = '', ...more] = piecesOf(wanted);
  if (more.length > 0) return gapsOf(wanted, text) !== undefined;
  return text === only || text.startsWith(`${only} `);
}

/** What each `*` stands for, the first possible place taken; undefined when it does not fit. Linear in the text. */
function gapsOf(pattern: string, text: string): string[] | undefined {
  const [head = '', ...parts] = piecesOf(pattern);
  if (parts.length === 0) return text === head ? [] : undefined;
  if (!text.startsWith(head)) return undefined;
  const gaps: string[] = [];
  let at = head.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const found = isLast ? (text.endsWith(part) ? text.length - part.length : -1) : text.indexOf(part, at);
    if (found < at) return undefined;
    gaps.push(text.slice(at, found));
    at = found + part.length;
  }
  return gaps;
}

/** As an entry that covers this very command and no other. */
export function exactEntry(command: string): string {
  return command.replaceAll('*', '\\*');
}

/** The text between the stars. */
function piecesOf(pattern: string): string[] {
  return pattern.split(/(?<!\\)\*/).map(piece => piece.replaceAll('\\*', '*'));
}
