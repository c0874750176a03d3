// The page with the last complete report of `npm run mutate`.
import type { Mutation } from '../../test/mutations/mutation.ts';

export const PAGE = 'docs/mutations.md';

export interface Proof {
  readonly mutation: Mutation;
  readonly seconds: number;
}

const HEAD = `# Mutations

Each line is one promise, broken on purpose in a copy of the code, and the test that turned red because of it.
\`npm run mutate\` tries them all and writes this page when every one was caught; a test that hangs, or a file that does
not load, does not count. [Contributing](../CONTRIBUTING.md) says how to add one, and [the architecture](../ARCHITECTURE.md)
what the promises are for.
`;

/** In the order of the promises; within one as the list has them. */
export function pageText(proofs: readonly Proof[]): string {
  const rows = proofs
    .toSorted((a, b) => numberOf(a.mutation) - numberOf(b.mutation))
    .map(({ mutation, seconds }) => {
      const { promise, name, testFile, tests } = mutation;
      const cells = [promise, name, `${tests.join('; ')} (\`${testFile}\`)`, seconds.toFixed(1)];
      return `| ${cells.map(cell).join(' | ')} |`;
    });
  const sum = `All ${proofs.length} were caught.`;
  return [
    HEAD,
    sum,
    '',
    '| promise | what was broken | caught by | s |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** The names on a page, in its order. */
export function namesOn(page: string): readonly string[] {
  const rows = [...page.matchAll(/^\| P\d+ \| (.*?) \| /gm)];
  return rows.map(([, name = '']) => name.replaceAll('\\|', '|'));
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function numberOf({ promise }: Mutation): number {
  return Number(promise.slice(1));
}
