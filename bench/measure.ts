// Runs the cases of a benchmark in turns and keeps every time.
import type { Bench, CaseRun, Clock, Opened } from './bench.ts';
import { type BenchResult, caseResult, verdicts } from './results.ts';

export interface Extent {
  /** Only the cases of the short check and their references. */
  readonly isShort: boolean;
  /** After so long no further round begins, however many are wanted. */
  readonly budgetMs: number;
}

/** Fewer say nothing about the median. */
const LEAST_ROUNDS = 5;
/** If a limit is close, kept or missed, everything is measured for so many times as long; the median of all rounds decides. */
export const PATIENCE = 4;

/** Rounds go through all cases in turn, so that a slow moment of the machine hits all alike. */
export async function measure(bench: Bench, opened: Opened, extent: Extent): Promise<BenchResult> {
  const figures = extent.isShort ? {} : ((await opened.figures?.()) ?? {});
  const ids = chosen(bench, extent);
  const times = new Map<string, number[][]>(ids.map(id => [id, []]));
  const result = (): BenchResult => {
    const cases = ids.map(id => {
      const { against } = bench.cases[id] ?? {};
      return [id, caseResult(times.get(id) ?? [], against ? times.get(against) : undefined)] as const;
    });
    return { cases: Object.fromEntries(cases), figures };
  };
  const doneRounds = (): number => times.get(ids[0] ?? '')?.length ?? bench.rounds * PATIENCE;
  const round = async (): Promise<void> => {
    for (const id of ids) {
      const own: number[] = [];
      for (let turn = 0; turn < (bench.burst ?? 1); turn++)
        own.push(await time(runOf(opened, id), bench.clock));
      times.get(id)?.push(own);
    }
  };
  for (let at = 0; at < (bench.warmUp ?? 1); at++) await round();
  for (const own of times.values()) own.length = 0;
  const started = performance.now();
  const roundsFor = async (factor: number): Promise<void> => {
    for (let done = doneRounds(); done < bench.rounds * factor; done = doneRounds()) {
      const isOver = performance.now() - started > extent.budgetMs * factor;
      if (done >= LEAST_ROUNDS && isOver) return;
      await round();
    }
  };
  await roundsFor(1);
  if (verdicts('', bench, result()).some(({ isClose }) => isClose)) await roundsFor(PATIENCE);
  return result();
}

/** All cases; or those of the short check, each after its reference. */
function chosen(bench: Bench, { isShort }: Extent): string[] {
  const entries = Object.entries(bench.cases);
  if (!isShort) return entries.map(([id]) => id);
  const short = entries.filter(([, it]) => it.isShort);
  const wanted = new Set(short.flatMap(([id, { against }]) => (against ? [against, id] : [id])));
  return entries.map(([id]) => id).filter(id => wanted.has(id));
}

function runOf(opened: Opened, id: string): CaseRun {
  const found = opened.runs[id];
  if (!found) throw new Error(`the benchmark does not run its case ${id}`);
  return found;
}

async function time({ run, before, after, ownMs }: CaseRun, clock: Clock = 'wall'): Promise<number> {
  await before?.();
  const read = clock === 'wall' ? () => performance.now() : cpuMs;
  const start = read();
  await run();
  const took = ownMs?.() ?? read() - start;
  await after?.();
  return took;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
