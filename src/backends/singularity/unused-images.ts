// Converted images that nobody uses any more. They become more only when another is made, so that is when old ones go.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Owner, removeAs } from '../as-owner.ts';
import type { Label } from './folder.ts';

const DAY_MS = 24 * 3_600_000;
const KEPT_MS = 30 * DAY_MS;
/** Longer than any conversion takes; what is older was left by a crash. */
const PART_MS = DAY_MS;

export interface ImageEntry {
  readonly name: string;
  /** When it was last used to make a sandbox, or written. */
  readonly usedAt: number;
}

/** The names that go. An image stays as long as a sandbox is made of it, suspended ones too. Pure. */
export function unusedImages(
  entries: readonly ImageEntry[],
  { inUse, now }: { readonly inUse: ReadonlySet<string>; readonly now: number },
): string[] {
  return entries
    .filter(({ name, usedAt }) => {
      if (name.endsWith('.part')) return now - usedAt > PART_MS;
      return name.endsWith('.sif') && !inUse.has(name) && now - usedAt > KEPT_MS;
    })
    .map(({ name }) => name);
}

export async function removeUnusedImages(
  folder: string,
  { labels, now, owner }: { readonly labels: readonly Label[]; readonly now: number; readonly owner: Owner },
): Promise<string[]> {
  const entries = await Promise.all(
    (await readdir(folder)).map(async name => ({
      name,
      usedAt: (await stat(join(folder, name))).mtimeMs,
    })),
  );
  const inUse = new Set(
    labels.flatMap(({ image }) => (image.startsWith(`${folder}/`) ? [image.slice(folder.length + 1)] : [])),
  );
  const names = unusedImages(entries, { inUse, now });
  await removeAs(
    owner,
    names.map(name => join(folder, name)),
  );
  return names;
}
