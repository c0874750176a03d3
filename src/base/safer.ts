// Which of two values of a setting isolates more. A setting that has one of these does not follow the usual order of the
// sources where they disagree: the safer value wins.

/** A limit. 0 stands for none. */
export function smaller(one: number, other: number): number {
  return (other || Infinity) < (one || Infinity) ? other : one;
}

/** A list of what sandboxes are given: only what both name. */
export function namedByBoth<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  const named = new Set(other.map(item => JSON.stringify(item)));
  const both = one.filter(item => named.has(JSON.stringify(item)));
  return both.length === one.length ? one : both;
}

/** A permission: only where both give it. */
export function permittedByBoth(one: boolean, other: boolean): boolean {
  return one && other;
}

/** A network: closed where one closes it. */
export function closed<T extends string>(one: T, other: T): T {
  return one !== 'none' && other === 'none' ? other : one;
}
