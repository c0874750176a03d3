// Finds the module of a plugin and loads it. What others than its owner could change is not loaded: it would be their code.

import { readFile, realpath, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { docsPath } from '../../base/docs-path.ts';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import { jsonOf } from '../../base/json-of.ts';
import type { PlatformPlugin } from '../../platforms/plugin.ts';

const target = z.union([z.string(), z.object({ import: z.string() }), z.object({ default: z.string() })]);
const packageShape = z.object({
  exports: z.union([target, z.object({ '.': target })]).optional(),
  main: z.string().optional(),
});
const OTHERS_WRITE = 0o022;
/** Only owners may remove or rename what is in such a folder. */
const STICKY = 0o1000;

/** Throws CONFIG_INVALID, or what the module throws by itself. */
export async function loadModule(module: string, home: string): Promise<PlatformPlugin> {
  const path = isAbsolute(module) ? module : await entryOf(module, home);
  const real = await realpath(path).catch((error: unknown) => {
    if (systemErrorCode(error) === undefined) throw error;
    throw invalid(`there is no ${path}. An absolute path, or a package below ${home}, is needed.`, error);
  });
  await refuseForeign(real);
  const loaded: unknown = await import(pathToFileURL(real).href);
  if (isPlugin(loaded)) return loaded;
  throw invalid(
    `it does not export a function createPlatform. ${docsPath('platforms/plugins.md')} shows one.`,
  );
}

function isPlugin(loaded: unknown): loaded is PlatformPlugin {
  return (
    typeof loaded === 'object' &&
    loaded !== null &&
    'createPlatform' in loaded &&
    typeof loaded.createPlatform === 'function'
  );
}

/** Of a package that is installed in the home: `npm install --prefix ~/.hermes NAME`. */
async function entryOf(name: string, home: string): Promise<string> {
  const missing = `there is no package ${name} in ${join(home, 'node_modules')}. Install it: npm install --prefix ${home} ${name}`;
  const manifest = packageJsonOf(name, home);
  if (manifest === undefined) throw invalid(missing);
  const { data } = packageShape.safeParse(jsonOf(await readFile(manifest, 'utf8')));
  if (!data)
    throw invalid(`${manifest} does not say which file it begins with; give the absolute path of that.`);
  return join(dirname(manifest), begins(data));
}

function packageJsonOf(name: string, home: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(join(home, 'plugin.js')));
  } catch (error) {
    if (systemErrorCode(error) === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function begins({ exports, main = 'index.js' }: z.infer<typeof packageShape>): string {
  const root = typeof exports === 'object' && '.' in exports ? exports['.'] : exports;
  if (root === undefined) return main;
  if (typeof root === 'string') return root;
  return 'import' in root ? root.import : root.default;
}

/** Whoever can write to one of the folders above it can put another in its place; but for folders such as /tmp. */
async function refuseForeign(module: string): Promise<void> {
  const own = process.getuid?.();
  if (own === undefined) return;
  for (let path = module; ; path = dirname(path)) {
    const { uid, mode } = await stat(path);
    if (uid !== own && uid !== 0)
      throw invalid(`${path} belongs to another user. chown it to the one of the gateway.`);
    const isShared = path !== module && path !== dirname(module) && (mode & STICKY) !== 0;
    if (!isShared && (mode & OTHERS_WRITE) !== 0)
      throw invalid(`others can write to ${path}. Run: chmod go-w ${path}`);
    if (path === dirname(path)) return;
  }
}

function invalid(reason: string, cause?: unknown): HermesError {
  return new HermesError('CONFIG_INVALID', reason, cause === undefined ? {} : { cause });
}
