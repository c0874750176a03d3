// A small project that breaks one rule, or looks as if it did, and where the rule must say so.

export interface WrongTree {
  readonly rule: string;
  readonly title: string;
  /** Path → source text; a list is joined as lines, so that line 1 is its first entry. */
  readonly files: Readonly<Record<string, string | readonly string[]>>;
  /** `file:line` of every violation, in order; empty for a near miss, which must pass. */
  readonly expected: readonly string[];
}

export function filesOf(tree: WrongTree): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree.files).map(([path, text]) => [
      path,
      typeof text === 'string' ? text : text.map(line => `${line}\n`).join(''),
    ]),
  );
}

/** A tree with one file and the lines of it that are wrong. */
export function oneFile(
  rule: string,
  title: string,
  {
    path = 'src/gateway/a.ts',
    text,
    wrong,
  }: { path?: string; text: readonly string[]; wrong: readonly number[] },
): WrongTree {
  return { rule, title, files: { [path]: text }, expected: wrong.map(line => `${path}:${line}`) };
}
