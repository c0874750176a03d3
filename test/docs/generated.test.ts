import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { artefacts } from '../../scripts/generate/artefacts.ts';

const root = join(import.meta.dirname, '../..');

describe('generated files are current (mend with `npm run generate`)', () => {
  it.each(artefacts(root).map(({ file, content }) => [file, content]))('%s', (file, content) => {
    expect(readFileSync(join(root, file), 'utf8')).toBe(content);
  });
});
