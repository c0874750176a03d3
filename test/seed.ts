// What a test draws at random: moments, orders, choices. All of it comes from the seed of the run.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFailed } from 'vitest';
import { randomFrom, runSeed } from './random.ts';

export interface Draws {
  /** A whole number from 0 up to and without the limit. */
  below(limit: number): number;
  /** A moment within the time passes. It is what is random; nothing is waited for. */
  moment(mostMs: number): Promise<void>;
}

/**
 * For the running test: two tests draw different numbers, and a test draws the same ones whether it runs alone or with
 * others. A test that fails prints the seed.
 */
export function useDraws(): Draws {
  const seed = runSeed();
  const title = expect.getState().currentTestName ?? '';
  onTestFailed(() => console.error(`HERMES_SEED=${seed} repeats what was random in: ${title}`));
  return drawsFrom(createHash('sha256').update(`${seed} ${title}`).digest().readUInt32LE());
}

export function drawsFrom(seed: number): Draws {
  const next = randomFrom(seed);
  return {
    below: limit => Math.floor(next() * limit),
    moment: mostMs => pause(next() * mostMs),
  };
}
