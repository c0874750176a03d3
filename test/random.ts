// Random numbers that can be drawn again: each run has one seed, and `HERMES_SEED=<number>` repeats a run.
import { randomInt } from 'node:crypto';
import type { Reporter } from 'vitest/node';

const VARIABLE = 'HERMES_SEED';

/** The seed of this run. What a test draws at random depends on this number only; ids and nonces are just unique. */
export function runSeed(text = process.env[VARIABLE]): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed) || seed < 1 || seed >= 2 ** 31)
    throw new Error(`${VARIABLE} must be a whole number from 1 to 2147483647 (got ${text})`);
  return seed;
}

/** Draws a seed for the run if none was given; every process of the run inherits it. */
export function seedOfRun(): string {
  process.env[VARIABLE] ||= String(randomInt(1, 2 ** 31));
  return process.env[VARIABLE];
}

/** Prints the seed of the run. */
export function seedReporter(print: (text: string) => void): Reporter {
  seedOfRun();
  return { onInit: () => print(`${VARIABLE}=${runSeed()} repeats what is random in this run.`) };
}

/** Numbers from 0 up to and without 1; the same seed gives the same ones. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
