// Buttons as reactions: each has an emoji, and a line under the message says which is which. Pure.
import type { Button } from '../platform.ts';

export interface Mark {
  readonly emoji: string;
  readonly label: string;
  readonly data: string;
}

const YES = /^(?:once|allow|approve|yes)\b/i;
const NO = /^(?:deny|no)\b/i;
/** By place; there are no more keys of that kind. */
const KEYS = ['1️⃣', '2️⃣', '3️⃣', '4️⃣', '5️⃣', '6️⃣', '7️⃣', '8️⃣', '9️⃣', '🔟'];

/** Those without an emoji left are answered in words only. */
export function marksOf(buttons: readonly (readonly Button[])[]): readonly Mark[] {
  const taken = new Set<string>();
  return buttons.flat().flatMap(({ label, data }, at): Mark[] => {
    const wanted = YES.test(label) ? '👍' : NO.test(label) ? '👎' : undefined;
    const emoji = wanted !== undefined && !taken.has(wanted) ? wanted : KEYS[at];
    if (emoji === undefined) return [];
    taken.add(emoji);
    return [{ emoji, label, data }];
  });
}

/** Empty when there is nothing to react with. */
export function legendOf(marks: readonly Mark[]): string {
  if (marks.length === 0) return '';
  return `React to answer: ${marks.map(({ emoji, label }) => `${emoji} ${label}`).join(' · ')}`;
}

/** Without what apps add to it: the colour of a hand, the wish to see it as a picture. */
export function plainEmoji(emoji: string): string {
  return emoji.replace(/[\u{FE0F}\u{1F3FB}-\u{1F3FF}]/gu, '');
}
