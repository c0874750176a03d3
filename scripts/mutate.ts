// `npm run mutate`: breaks promises one by one in copies of the tree and requires that the tests named for each turn red.
// `-- --only WORD` takes those with the word in name, promise or file, `-- NAME…` those of that name, `-- --list` prints
// them. A run of all writes the report.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mutations } from '../test/mutations/all-mutations.ts';
import { type Mutation, mutated } from '../test/mutations/mutation.ts';
import { type Verdict, verdictOf, whyNotGreen } from '../test/mutations/verdict.ts';
import { chooseMutations } from './mutate/choose.ts';
import { PAGE, type Proof, pageText } from './mutate/page.ts';
import { runTests } from './mutate/run-tests.ts';
import { makeScratch, type Scratch } from './mutate/scratch.ts';

const tree = join(import.meta.dirname, '..');
/** One run at a time in each. */
const COPIES = 2;
/** A mutation must be noticed within this time; more is a hang. */
const LIMIT_MS = 60_000;
/** The first run of a file may have to fetch what its services need. */
const FIRST_LIMIT_MS = 600_000;

interface Ended {
  readonly mutation: Mutation;
  readonly verdict: Verdict;
  readonly seconds: number;
}

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());

const chosen = chooseMutations(mutations, process.argv.slice(2));
if (chosen.kind === 'list') {
  for (const { promise, name } of chosen.mutations) console.log(`${promise.padEnd(4)} ${name}`);
} else process.exitCode = await check(chosen.mutations);

async function check(wanted: readonly Mutation[]): Promise<number> {
  await Promise.all(wanted.map(async each => mutated(await readFile(join(tree, each.file), 'utf8'), each)));
  const copies: Scratch[] = [];
  try {
    for (let made = 0; made < COPIES; made++) copies.push(await makeScratch(tree));
    const red = await proveGreen(wanted, copies);
    const ended = await inCopies(copies, wanted, (copy, each) => tryMutation(copy, each, red));
    return await report(ended);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    console.log('stopped; no mutation is left anywhere');
    return 130;
  } finally {
    await Promise.all(copies.map(copy => copy.remove()));
  }
}

/** By test file: why its named tests prove nothing. */
async function proveGreen(
  wanted: readonly Mutation[],
  copies: readonly Scratch[],
): Promise<ReadonlyMap<string, string>> {
  const files = Map.groupBy(wanted, ({ testFile }) => testFile);
  console.log(`First without a mutation: ${files.size} test files`);
  const red = new Map<string, string>();
  await inCopies(copies, [...files], async ({ root }, [testFile, theirs]) => {
    const titles = [...new Set(theirs.flatMap(({ tests }) => tests))];
    const outcome = await runTests({
      ...{ root, testFile, titles, limitMs: FIRST_LIMIT_MS, signal: stopped.signal },
    });
    const why = whyNotGreen(titles, outcome);
    if (why !== undefined) red.set(testFile, why);
    console.log(why === undefined ? `  green  ${testFile}` : `  RED    ${testFile}: ${why}`);
  });
  return red;
}

async function tryMutation(
  { root }: Scratch,
  mutation: Mutation,
  red: ReadonlyMap<string, string>,
): Promise<Ended> {
  const { file, testFile, tests } = mutation;
  const why = red.get(testFile);
  if (why !== undefined) return said({ mutation, verdict: { kind: 'not-run', text: why }, seconds: 0 });
  const path = join(root, file);
  const text = await readFile(path, 'utf8');
  const startedAt = performance.now();
  await writeFile(path, mutated(text, mutation));
  try {
    const outcome = await runTests({
      ...{ root, testFile, titles: tests, limitMs: LIMIT_MS, signal: stopped.signal },
    });
    const seconds = (performance.now() - startedAt) / 1000;
    return said({ mutation, verdict: verdictOf(tests, outcome), seconds });
  } finally {
    await writeFile(path, text);
  }
}

function said(ended: Ended): Ended {
  const { mutation, verdict, seconds } = ended;
  const word = verdict.kind === 'caught' ? 'caught' : verdict.kind.toUpperCase();
  const why = verdict.kind === 'caught' ? '' : ` (${verdict.text})`;
  console.log(
    `${word.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  ${mutation.promise}: ${mutation.name}${why}`,
  );
  return ended;
}

/** Each copy takes the next item when it is free. Results in the order of the items. */
async function inCopies<T, R>(
  copies: readonly Scratch[],
  items: readonly T[],
  work: (copy: Scratch, item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  await Promise.all(
    copies.map(async copy => {
      for (const [at, item] of waiting) results[at] = await work(copy, item);
    }),
  );
  return results;
}

async function report(ended: readonly Ended[]): Promise<number> {
  const missed = ended.filter(({ verdict }) => verdict.kind !== 'caught');
  console.log(`\n${ended.length - missed.length} of ${ended.length} mutations were caught.`);
  for (const each of missed) said(each);
  if (missed.length > 0) return 1;
  if (ended.length === mutations.length) {
    const proofs: Proof[] = ended.map(({ mutation, seconds }) => ({ mutation, seconds }));
    await writeFile(join(tree, PAGE), pageText(proofs));
    console.log(`wrote ${PAGE}`);
  }
  return 0;
}
