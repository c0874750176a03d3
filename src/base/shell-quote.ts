// Turns any string into one shell word.

/** The word as every POSIX shell reads it back. A NUL byte cannot stand in a word; callers refuse it before. */
export function shellQuote(word: string): string {
  if (word !== '' && /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) && !/^[~=]/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

export function shellJoin(words: readonly string[]): string {
  return words.map(shellQuote).join(' ');
}

/** A path as one word; a `~` in front stays what it is to a shell. Quoted it would be a folder of that name. */
export function shellPath(path: string): string {
  if (path === '~') return path;
  return path.startsWith('~/') ? `~/${shellQuote(path.slice(2))}` : shellQuote(path);
}
