// The page with the report of `npm run mutate`.
import type { Mutation } from '../../test/mutations/mutation.ts';

export const PAGE = 'docs/mutations.md';

export interface Proof {
  readonly mutation: Mutation;
  readonly seconds: number;
}

const HEAD = `# Mutations

Each line is one promise, broken on purpose in a copy of the code, and the test that turned red because of it.
\`npm run mutate\` tries them and writes their rows when every one was caught; a test that hangs, or a file that does not
load, does not count. [Contributing](../CONTRIBUTING.md) says how to add one, and [the architecture](../ARCHITECTURE.md)
what the promises are for.
`;

/** In the order of the promises; within one as the list has them. */
function pageText(proofs: readonly Proof[]): string {
  const rows = proofs
    .toSorted((a, b) => numberOf(a.mutation) - numberOf(b.mutation))
    .map(({ mutation, seconds }) => {
      const { promise, name, testFile, group, tests } = mutation;
      const where = [...(group === undefined ? [] : [group]), `\`${testFile}\``].join(', ');
      const cells = [promise, name, `${tests.join('; ')} (${where})`, seconds.toFixed(1)];
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

/** What a page has: seconds by name, in its order. */
export function readPage(page: string): ReadonlyMap<string, number> {
  const rows = [...page.matchAll(/^\| P\d+ \| (.*?) \| .* \| ([\d.]+) \|$/gm)];
  return new Map(rows.map(([, name = '', seconds]) => [name.replaceAll('\\|', '|'), Number(seconds)]));
}

/** The page after a run that caught some of all: their rows are new, the others stay, and what is not listed any more goes. */
export function renewedPage(page: string, all: readonly Mutation[], caught: readonly Proof[]): string {
  const seconds = new Map([
    ...readPage(page),
    ...caught.map(each => [each.mutation.name, each.seconds] as const),
  ]);
  return pageText(
    all.flatMap(mutation => {
      const took = seconds.get(mutation.name);
      return took === undefined ? [] : [{ mutation, seconds: took }];
    }),
  );
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function numberOf({ promise }: Mutation): number {
  return Number(promise.slice(1));
}
