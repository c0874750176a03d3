// Which versions of signal-cli work. Before 0.14 reactions and mentions do not arrive, and Signal itself stops serving old
// versions after some months. Pure.

export const OLDEST_VERSION = '0.14.9';

/** What is no version, as of a build of one's own, counts as new enough. */
export function isOutdated(version: string): boolean {
  const [given, oldest] = [numbersOf(version), numbersOf(OLDEST_VERSION)];
  if (given.length === 0) return false;
  const at = oldest.findIndex((number, place) => (given[place] ?? 0) !== number);
  return at >= 0 && (given[at] ?? 0) < (oldest[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '')
    .split('.')
    .filter(part => part !== '')
    .map(Number);
}
