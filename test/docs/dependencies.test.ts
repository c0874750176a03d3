import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly optionalDependencies: Versions;
}

/** The tables of the page by heading, each row as `name version`; a row without licence or reason does not count. */
function tables(): Record<string, string[]> {
  const chapters = read('docs/dependencies.md').split(/^## /m).slice(1);
  return Object.fromEntries(
    chapters.map(chapter => {
      const rows = chapter.matchAll(/^\| (\S+) \| (\d\S*) \| \S[^|]* \| \S[^|]* \|$/gm);
      return [chapter.split('\n', 1)[0], [...rows].map(([, name, version]) => `${name} ${version}`)];
    }),
  );
}

describe('docs/dependencies.md gives licence and reason of exactly what package.json has', () => {
  const manifest = JSON.parse(read('package.json')) as Manifest; // our own file
  it.each([
    ['At run time', manifest.dependencies],
    ['At run time, where they fit', manifest.optionalDependencies],
    ['For development', manifest.devDependencies],
  ])('%s', (heading, versions) => {
    const expected = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
    expect(tables()[heading]?.toSorted()).toEqual(expected.toSorted());
  });

  it('names the licence that the lock file has', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { license?: string }> }; // npm's
    for (const [, name, licence] of read('docs/dependencies.md').matchAll(
      /^\| (\S+) \| \d\S* \| ([^|]+) \|/gm,
    )) {
      expect(`${name}: ${licence?.trim()}`).toBe(
        `${name}: ${lock.packages[`node_modules/${name}`]?.license}`,
      );
    }
  });
});
