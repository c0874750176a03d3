// `npm run generate`: writes what is made from something else. The unit tests fail while anything is stale.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artefacts } from './generate/artefacts.ts';

const root = join(import.meta.dirname, '..');
for (const { file, content } of artefacts(root)) {
  writeFileSync(join(root, file), content);
  console.log(`wrote ${file}`);
}
