// Lists of words, written as text.

/** The words of a text as a set. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
