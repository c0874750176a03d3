// What the pictures of the page are made of, as one number: its own files, and the script that takes them. What commands answer
// is not in it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const PAGE = 'src/dashboard/page';

/** Written beside the pictures when they are taken. */
export const digestFile = join(root, 'docs/screenshots/page.sha256');

export function pageDigest(): string {
  const files = readdirSync(join(root, PAGE)).toSorted();
  const hash = createHash('sha256');
  for (const path of [...files.map(name => `${PAGE}/${name}`), 'scripts/screenshots.ts'])
    hash.update(`${path}\0${readFileSync(join(root, path), 'utf8')}\0`);
  return hash.digest('hex');
}
