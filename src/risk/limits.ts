// What is too long or too deep to be taken apart. One pass over the text, no parsing.

const MAX_BYTES = 64 * 1024;
const MAX_LEVELS = 100;
const MAX_OPERATORS = 4_000;
const MAX_SIGNS = 8_000;

/** Why a command is not parsed; undefined when it may be. */
export function tooMuch(text: string): string | undefined {
  if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES) {
    return `It is longer than ${MAX_BYTES / 1024} KiB and was not taken apart.`;
  }
  if (isCrowded(text)) return 'It holds more commands than can be looked at, and was not taken apart.';
  return deepest(text) > MAX_LEVELS
    ? `It is nested more than ${MAX_LEVELS} levels deep and was not taken apart.`
    : undefined;
}

const OPERATORS = new Set([...'&;`|'].map(sign => sign.charCodeAt(0)));
const SIGNS = new Set([...'"\'$\\<>{'].map(sign => sign.charCodeAt(0)));

function isCrowded(text: string): boolean {
  let [operators, signs] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (OPERATORS.has(code)) operators++;
    else if (SIGNS.has(code)) signs++;
  }
  return operators > MAX_OPERATORS || signs > MAX_SIGNS;
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
