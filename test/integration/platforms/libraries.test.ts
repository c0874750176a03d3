// What is loaded for platforms that are off: nothing of the libraries that speak to them.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

const program = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url) ?? [];
      if (name) packages.add(name);
      return found;
    },
  });
  const { platformDrivers } = await import('./src/platforms/index.generated.ts');
  const settings = { get: key => (key.endsWith('.enabled') ? false : undefined) };
  for (const load of Object.values(platformDrivers)) (await load()).createPlatform(settings, {});
  console.log(JSON.stringify([...packages].sort()));
`;

it('platforms that are off load no library of their own', async () => {
  const words = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root });
  // One reads what comes from outside, the other markdown.
  expect(JSON.parse(stdout)).toEqual(['marked', 'zod']);
});
