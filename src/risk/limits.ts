// What is too long or too deep to be taken apart. One pass over the text, no parsing.

const MAX_BYTES = 64 * 1024;
const MAX_LEVELS = 100;
const MAX_SIGNS = 8_000;
/** Commands, expansions and here-documents, as far as their signs tell. */
const MOST = { operators: 3_000, expansions: 2_500, documents: 500 } as const;
/** Of a text inside another one; more commands than these are not looked at anyway. */
const MOST_INSIDE = { ...MOST, operators: 1_000 } as const;

/** Why a command is not parsed; undefined when it may be. */
export function tooMuch(text: string): string | undefined {
  if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES) {
    return `It is longer than ${MAX_BYTES / 1024} KiB and was not taken apart.`;
  }
  if (isCrowded(text, MOST)) return 'It holds more commands than can be looked at, and was not taken apart.';
  return deepest(text) > MAX_LEVELS
    ? `It is nested more than ${MAX_LEVELS} levels deep and was not taken apart.`
    : undefined;
}

/** Whether a text that another one runs is too crowded or too deep to be taken apart as well. */
export function isTooMuchInside(text: string): boolean {
  return text.length > MAX_BYTES || isCrowded(text, MOST_INSIDE) || deepest(text) > MAX_LEVELS;
}

const OPERATORS = new Set([...'&;`|'].map(sign => sign.charCodeAt(0)));
const SIGNS = new Set([...'"\'$\\<>{'].map(sign => sign.charCodeAt(0)));
const [LINE, DOLLAR, LESS] = [10, 36, 60];

function isCrowded(text: string, most: { [kind in keyof typeof MOST]: number }): boolean {
  let [operators, signs, expansions, documents] = [0, 0, 0, 0];
  // In a here-document a line is no command.
  const hasDocument = text.includes('<<');
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (OPERATORS.has(code) || (code === LINE && !hasDocument)) operators++;
    else if (SIGNS.has(code)) signs++;
    if (code === DOLLAR) expansions++;
    else if (code === LESS && text.charCodeAt(at + 1) === LESS) documents++;
  }
  return (
    signs > MAX_SIGNS ||
    operators > most.operators ||
    expansions > most.expansions ||
    documents > most.documents
  );
}

/** Brackets count also inside quotes: there they may be text or may be run, and this pass cannot tell. */
function deepest(text: string): number {
  let [level, most] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 123) most = Math.max(most, ++level);
    else if (code === 41 || code === 125) level = Math.max(0, level - 1);
  }
  return Math.max(most, keywords(text));
}

/** `if if if …` and its kin nest without a bracket. */
function keywords(text: string): number {
  const opened = text.match(/\b(?:if|while|until|case|for|select)\b/g)?.length ?? 0;
  return opened <= MAX_LEVELS ? 0 : opened - (text.match(/\b(?:fi|done|esac)\b/g)?.length ?? 0);
}
