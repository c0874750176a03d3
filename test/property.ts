// fast-check with the seed of the run, and how often properties are tried. Tests import it from here.
import fc from 'fast-check';
import { runSeed } from './random.ts';

fc.configureGlobal({ seed: runSeed() });

export { fc };

/** How much longer this run tries what is random: 1 in `npm run check`, more in `npm run fuzz`. */
export const effort = Number(process.env['HERMES_FUZZ'] ?? 1);

/** A property is tried so often in `npm run check`. */
export function runs(times: number): { readonly numRuns: number } {
  return { numRuns: times * effort };
}
