// Text that strangers chose, made fit for a card: it can neither look like ours, nor control what shows it, nor be long.
import { fenced } from '../base/code-fence.ts';

const LONGEST_NAME = 64;
const LONGEST_QUOTE = 600;

/** A name on one line, without control, invisible, blank and direction-changing characters; never empty. */
export function plainName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]+/gu, ' ')
    .trim();
  return cut(plain, LONGEST_NAME) || 'somebody without a name';
}

/** As code on one line: no markup in it counts. */
export function inlineCode(text: string): string {
  return `\`${text.replaceAll('`', 'ˋ')}\``;
}

/** The same of a stranger's message: what nobody sees is left out, and the end of a long one. */
export function quoted(text: string): string {
  const plain = text.toWellFormed().replace(/[^\P{C}\n\t]/gu, '');
  const more = plain.length > LONGEST_QUOTE ? `\n(${plain.length} characters in all)` : '';
  return `${fenced(cut(plain, LONGEST_QUOTE))}${more}`;
}

/** With characters that nobody sees, or that turn others around, as their numbers: what is shown is what is run. */
export function visible(text: string): string {
  return text.toWellFormed().replace(/[^\P{C}\n\t]|[\u115f\u1160\u2028\u2029\u3164\uffa0]/gu, hidden => {
    return `\\u{${hidden.codePointAt(0)?.toString(16)}}`;
  });
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
