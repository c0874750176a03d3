// `npm run mutate`: breaks promises one by one in copies of the tree and requires that the tests named for each turn red.
// `-- --only WORD` takes those with the word in name, promise or file, `-- NAME…` those of that name, `-- --list` prints
// them. The report gets a new row for each that was tried, if all of those were caught.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mutations } from '../test/mutations/all-mutations.ts';
import { type Mutation, mutated, type Named } from '../test/mutations/mutation.ts';
import { type Verdict, verdictOf, whyNotGreen } from '../test/mutations/verdict.ts';
import { chooseMutations } from './mutate/choose.ts';
import { PAGE, renewedPage } from './mutate/page.ts';
import { runTests } from './mutate/run-tests.ts';
import { makeScratch, type Scratch } from './mutate/scratch.ts';

const tree = join(import.meta.dirname, '..');
/** One run at a time in each. */
const COPIES = 2;
/** A mutation must be noticed within a minute, which is also the limit of each test; what vitest needs to start comes on top. */
const LIMIT_MS = 75_000;
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

/** Tests that are run together without a mutation. */
function placeOf({ testFile, group }: Mutation): string {
  return group === undefined ? testFile : `${testFile} (${group})`;
}

/** By place: why its named tests prove nothing. */
async function proveGreen(
  wanted: readonly Mutation[],
  copies: readonly Scratch[],
): Promise<ReadonlyMap<string, string>> {
  const files = Map.groupBy(wanted, placeOf);
  console.log(`First without a mutation: ${files.size} groups of tests`);
  const red = new Map<string, string>();
  await inCopies(copies, [...files], async ({ root }, [place, [first, ...others]]) => {
    if (!first) return;
    const [one, ...more] = first.tests;
    const tests: Named['tests'] = [one, ...new Set([...more, ...others.flatMap(each => each.tests)])];
    const named = { ...first, tests };
    const outcome = await runTests({
      ...{ root, testFile: first.testFile, named, limitMs: FIRST_LIMIT_MS, signal: stopped.signal },
    });
    const why = whyNotGreen(named, outcome);
    if (why !== undefined) red.set(place, why);
    console.log(why === undefined ? `  green  ${place}` : `  RED    ${place}: ${why}`);
  });
  return red;
}

async function tryMutation(
  { root }: Scratch,
  mutation: Mutation,
  red: ReadonlyMap<string, string>,
): Promise<Ended> {
  const { file, testFile } = mutation;
  const why = red.get(placeOf(mutation));
  if (why !== undefined) return said({ mutation, verdict: { kind: 'not-run', text: why }, seconds: 0 });
  const path = join(root, file);
  const text = await readFile(path, 'utf8');
  const startedAt = performance.now();
  await writeFile(path, mutated(text, mutation));
  try {
    const outcome = await runTests({
      ...{ root, testFile, named: mutation, limitMs: LIMIT_MS, signal: stopped.signal },
    });
    const seconds = (performance.now() - startedAt) / 1000;
    return said({ mutation, verdict: verdictOf(mutation, outcome), seconds });
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
  const page = join(tree, PAGE);
  await writeFile(page, renewedPage(await readFile(page, 'utf8'), mutations, ended));
  console.log(`wrote ${PAGE}`);
  return 0;
}
