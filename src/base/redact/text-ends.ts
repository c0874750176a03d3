// Cuts the ends of texts in one step for each character, which an expression does not.

/** The text without those of the characters that stand at its end. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
