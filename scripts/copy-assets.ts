// The last step of the build: what the sources read at run time goes with them into dist/.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
cpSync(join(root, 'src'), join(root, 'dist'), {
  recursive: true,
  filter: path =>
    !/\.[a-z]+$/.test(path) || /\.(sh|py|mjs)$|dashboard\/page\/[^/]+\.(js|css|svg)$/.test(path),
});
