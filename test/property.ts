// fast-check with the seed of the run. Tests import it from here.
import fc from 'fast-check';
import { runSeed } from './random.ts';

fc.configureGlobal({ seed: runSeed() });

export { fc };
