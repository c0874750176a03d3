// Run by `npm ci` in a clone: lets `npx hermes` find this project's own command at once.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const link = fileURLToPath(new URL('../node_modules/.bin/hermes', import.meta.url));
mkdirSync(new URL('../node_modules/.bin/', import.meta.url), { recursive: true });
rmSync(link, { force: true });
symlinkSync('../../bin/hermes.js', link);
