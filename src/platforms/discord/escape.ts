// Makes Discord show text as it is. A backslash is put only where it changes something, since it counts as a character. Pure.

/** Emphasis, code, spoilers, struck text. An underscore inside a word means nothing. */
const MARKS = /[*`]|~(?=~)|(?<=~)~|\|(?=\|)|(?<=\|)\||(?<!\w)_|_(?!\w)/g;
/** Mentions, emoji, times, commands, and addresses in angle brackets. */
const SPECIAL = /<(?=[@#:/]|a:|t:|id:|https?:)/g;
/** At the beginning of a line: quotes, headings, small print. */
const LEADING = /^(\s*)(>|#{1,3}\s|-#\s)/gm;
/** A label that Discord might take for one. */
const LABEL = /\[(?=[^\]]*\]\()/g;

/** `every`: a single character that somebody has escaped already. */
export function escapeText(text: string, which: 'needed' | 'every' = 'needed'): string {
  if (which === 'every') return text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&');
  return (
    text
      // A backslash before such a character would disappear.
      .replace(/\\(?=[^0-9A-Za-z\s]|$)/g, '\\\\')
      .replace(MARKS, '\\$&')
      .replace(SPECIAL, '\\$&')
      .replace(LABEL, '\\$&')
      .replace(LEADING, '$1\\$2')
  );
}
