// Fences of code in markdown: how one begins and ends, and one that its text cannot end.

const OPENING = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;

/** The mark with which this line begins a block of code; undefined when it begins none. */
export function openingMark(line: string): string | undefined {
  return OPENING.exec(line)?.[1];
}

/** Whether this line ends a block that began with `mark`: the same character, at least as often, and nothing else. */
export function closesFence(line: string, mark: string): boolean {
  const word = line.trim();
  return word.length >= mark.length && word === (mark[0] ?? '').repeat(word.length);
}

/** As a block of code whose fence nothing in it can end. */
export function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const mark = '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)));
  return `${mark}\n${text}\n${mark}`;
}
