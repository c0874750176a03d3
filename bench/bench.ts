// What a benchmark is: cases that run in turns, each beside a bare reference, judged by ratio or by extra time.
import type { MemoryFigure } from './memory.ts';

export interface BenchCase {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** What has to be there before it, and to go after it; neither is measured. */
  readonly before?: () => Promise<unknown>;
  readonly after?: () => Promise<unknown>;
  /** The case it is compared with; a reference itself has none. */
  readonly against?: string;
  /**
   * What is promised of the medians: at most so many times the reference, or so many milliseconds more; and of the
   * slowest hundredth, where it matters.
   */
  readonly limit?: { readonly ratio: number } | { readonly extraMs: number; readonly p99Ms?: number };
}

export interface Bench {
  readonly doc: string;
  /** How often each case is measured; warm-up comes on top. */
  readonly rounds: number;
  readonly warmUp: number;
  /** How often a case repeats within a round; what a command leaves to be done then weighs on the next one. */
  readonly burst?: number;
  /** Prepares and returns the cases; `close` undoes the preparation. */
  open(): Promise<{
    readonly cases: readonly BenchCase[];
    /** Memory, looked at before the cases have grown the process. */
    readonly figures?: () => Promise<readonly MemoryFigure[]>;
    close(): Promise<void>;
  }>;
}

export interface Measurement {
  readonly name: string;
  readonly against?: string;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Against the reference's median, measured in the same run. */
  readonly ratio?: number;
  readonly extraMs?: number;
  readonly limit?: BenchCase['limit'];
  readonly withinLimit?: boolean;
}

/** Rounds go through all cases in turn, so that a slow moment of the machine hits all alike. */
export async function measure(
  cases: readonly BenchCase[],
  { rounds, warmUp, burst = 1 }: Pick<Bench, 'rounds' | 'warmUp' | 'burst'>,
): Promise<Measurement[]> {
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const one of cases) {
      for (let turn = 0; turn < burst; turn++) {
        const took = await time(one);
        if (round >= 0) times.get(one.name)?.push(took);
      }
    }
  }
  return cases.map(bench => summarise(bench, times));
}

async function time({ run, before, after }: BenchCase): Promise<number> {
  await before?.();
  const start = performance.now();
  await run();
  const took = performance.now() - start;
  await after?.();
  return took;
}

function summarise(bench: BenchCase, times: ReadonlyMap<string, readonly number[]>): Measurement {
  const own = times.get(bench.name) ?? [];
  const base = {
    name: bench.name,
    p50: percentile(own, 50),
    p95: percentile(own, 95),
    p99: percentile(own, 99),
  };
  if (bench.against === undefined) return base;
  const reference = percentile(times.get(bench.against) ?? [], 50);
  const ratio = base.p50 / reference;
  const extraMs = base.p50 - reference;
  const compared = { ...base, against: bench.against, ratio, extraMs };
  const { limit } = bench;
  if (limit === undefined) return compared;
  const withinLimit =
    'ratio' in limit
      ? ratio <= limit.ratio
      : extraMs <= limit.extraMs && base.p99 <= (limit.p99Ms ?? Number.POSITIVE_INFINITY);
  return { ...compared, limit, withinLimit };
}

/** Nearest-rank, so that every figure is one that was really measured. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
