// What is made of measured times: percentiles, and the ratio that a limit is compared with.

/** Nearest-rank, so that every figure is one that was really measured. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Times of one case: a list for each round. */
export type Rounds = readonly (readonly number[])[];

/**
 * The median of the rounds' ratios. Both cases of a round ran within moments of each other, so that a slow moment of the
 * machine hits both and cancels out.
 */
export function ratioOf(rounds: Rounds, reference: Rounds): number {
  return median(rounds.map((times, round) => median(times) / median(reference[round] ?? [])));
}
