// A copy of the project with the platform of docs/platforms/add-a-platform.md in a folder of its own, as a reader of the page
// would have it.
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverIndexes } from '../../../scripts/generate/driver-index.ts';

const root = join(import.meta.dirname, '../../..');

export interface ExampleFile {
  /** Below the root. */
  readonly path: string;
  readonly code: string;
}

/** Each stands under a heading with its path. */
export async function exampleFiles(): Promise<readonly ExampleFile[]> {
  const page = await readFile(join(root, 'docs/platforms/add-a-platform.md'), 'utf8');
  const found = page.matchAll(/^## `(src\/platforms\/[\w/.-]+)`\n[\s\S]*?^```ts\n([\s\S]*?)^```$/gm);
  return [...found].map(([, path = '', code = '']) => ({ path, code }));
}

/** Returns its root. To be removed by whoever asked for it. */
export async function copyWithExample(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'added-platform-'));
  for (const name of ['src', 'bin', 'package.json', 'tsconfig.json', 'biome.json'])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { path, code } of await exampleFiles()) {
    await mkdir(join(copy, path, '..'), { recursive: true });
    await writeFile(join(copy, path), code);
  }
  for (const { file, content } of driverIndexes(copy)) await writeFile(join(copy, file), content);
  return copy;
}
