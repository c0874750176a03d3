// `npm run generate`: writes what is made from something else. The unit tests fail while anything is stale.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { driverIndexes } from './generate/driver-index.ts';

const root = join(import.meta.dirname, '..');

// The indexes come first: the pages are made by sources that import them.
for (const { file, content } of driverIndexes(root)) writeFileSync(join(root, file), content);
const { artefacts } = await import('./generate/artefacts.ts');
for (const { file, content } of artefacts(root)) {
  writeFileSync(join(root, file), content);
  console.log(`wrote ${file}`);
}
const { pageFile, readResults, renderPage } = await import('../bench/page.ts');
const { loadBenches } = await import('../bench/all.ts');
writeFileSync(pageFile, renderPage(await loadBenches(), readResults()));
console.log('wrote docs/performance.md');
