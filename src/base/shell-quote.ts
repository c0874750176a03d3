// Turns any string into one shell word.

/** The word as every POSIX shell reads it back. A NUL byte cannot stand in a word; callers refuse it before. */
export function shellQuote(word: string): string {
  if (word !== '' && /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) && !/^[~=]/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

export function shellJoin(words: readonly string[]): string {
  return words.map(shellQuote).join(' ');
}
