// A mutation breaks one promise on purpose, in one place; the tests named with it must turn red. Pure.

export interface Mutation {
  /** What is broken, as a sentence; the name in the report. */
  readonly name: string;
  readonly promise: `P${number}`;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly old: string;
  readonly new: string;
  readonly testFile: string;
  /** Of several groups with the same tests, such as one for each backend: the title of the only one that is run. */
  readonly group?: string;
  /** As the test file writes them, so that a table's title keeps its `%s`. Each must turn red. */
  readonly tests: readonly [string, ...string[]];
}

/** The file's text with the mutation in it. Throws when the old text does not occur exactly once. */
export function mutated(text: string, { name, file, old, new: replacement }: Mutation): string {
  const parts = text.split(old);
  const occurrences = parts.length - 1;
  if (old === '' || occurrences !== 1)
    throw new Error(`"${name}": its old text occurs ${occurrences} times in ${file}, not once.`);
  if (old === replacement) throw new Error(`"${name}": the new text is the old one.`);
  return parts.join(replacement);
}

/** Matches the titles that a title of the source becomes: placeholders of tables stand for any text. */
export function titlePattern(title: string): string {
  const placeholder = /%[sdifjoO#]|\$\{[^}]*\}|\$[A-Za-z][\w.]*/;
  return title
    .split(placeholder)
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}

/** The tests of a file that are meant. */
export type Named = Pick<Mutation, 'group' | 'tests'>;

/** For vitest's `-t`, which looks at the titles of groups and test with spaces between them. */
export function namePattern({ group, tests }: Named): string {
  const within = group === undefined ? '' : `(?:^| )${titlePattern(group)} (?:.* )?`;
  return `${within}(?:${tests.map(titlePattern).join('|')})$`;
}

/** The vitest project that has the file. */
export function projectOf(testFile: string): 'unit' | 'real' {
  return /^(?:src|test\/(?:architecture|docs|mutations))\//.test(testFile) ? 'unit' : 'real';
}
