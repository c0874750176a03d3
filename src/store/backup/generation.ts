// Knows a state that is older than the one that was last in use: a copy that somebody has put back. A number in the database
// grows while it is used, and a small file beside it keeps the highest one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ifThere } from '../../base/if-there.ts';
import { writePrivateFile } from '../../base/private-files.ts';

const shape = z.object({
  generation: z.int().nonnegative(),
  /** When it was written. */
  at: z.int(),
  /** What people said up to then has been dealt with by a state that is gone. */
  dealtWithUntil: z.int().optional(),
});

export type GenerationRecord = z.infer<typeof shape>;

function generationFile(home: string): string {
  return join(home, 'state.generation');
}

/** Undefined when there is none, or none that can be read: then nothing is known of other states. */
export async function readGeneration(home: string): Promise<GenerationRecord | undefined> {
  const text = await ifThere(readFile(generationFile(home), 'utf8'));
  if (text === undefined) return undefined;
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whole or not at all. */
export async function writeGeneration(home: string, record: GenerationRecord): Promise<void> {
  await writePrivateFile(generationFile(home), `${JSON.stringify(record)}\n`);
}
