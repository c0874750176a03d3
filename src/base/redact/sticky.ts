// Expressions that look at one place of a text.

/** What the sticky expression finds exactly at `at`. */
export function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
