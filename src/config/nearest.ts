// Finds the name somebody probably meant.
import leven from 'leven';

/** The closest of the known names, if it is close enough to be a slip of the finger. */
export function nearestName(wrong: string, known: Iterable<string>): string | undefined {
  const limit = wrong.length < 4 ? 1 : Math.max(2, Math.floor(wrong.length / 4));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const name of known) {
    const distance = leven(wrong.toLowerCase(), name.toLowerCase(), { maxDistance: bestDistance });
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}
