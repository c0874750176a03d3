// What the browser loads: the modules of the page as they are, and the two libraries that they import. There is no build.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

export interface Assets {
  /** By path; every path has the hash of all in it, so that a browser may keep them for ever. */
  find(path: string): Asset | undefined;
  /** The page for somebody who is logged in. */
  readonly page: Asset;
  /** The page for everybody else. */
  readonly door: Asset;
}

const FOLDER = join(import.meta.dirname, 'page');
const LIBRARIES = {
  preact: 'lib-preact.js',
  'preact/hooks': 'lib-hooks.js',
  marked: 'lib-marked.js',
} as const;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const HTML = 'text/html; charset=utf-8';

export async function readAssets(): Promise<Assets> {
  const texts = new Map<string, string>();
  for (const name of await readdir(FOLDER))
    if (extname(name) in TYPES) texts.set(name, await readFile(join(FOLDER, name), 'utf8'));
  for (const [module, name] of Object.entries(LIBRARIES)) {
    const text = await readFile(fileURLToPath(import.meta.resolve(module)), 'utf8');
    texts.set(name, text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n'));
  }
  const hash = createHash('sha256');
  for (const [name, text] of texts) hash.update(`${name}\0${text}\0`);
  const base = `/app/${hash.digest('hex').slice(0, 16)}`;
  const found = new Map<string, Asset>();
  for (const [name, text] of texts)
    found.set(`${base}/${name}`, await assetOf(TYPES[extname(name)] ?? '', linked(text)));
  const names = [...texts.keys()].toSorted();
  return {
    find: path => found.get(path),
    page: await assetOf(HTML, pageText(base, names)),
    door: await assetOf(HTML, doorText(base, names)),
  };
}

/** Browsers do not know where a library is that is imported by its name alone. */
function linked(text: string): string {
  return text.replace(
    /(\bfrom\s*|\bimport\s*)(["'])([\w/]+)\2/g,
    (whole, word: string, quote: string, module: string) =>
      Object.hasOwn(LIBRARIES, module)
        ? `${word}${quote}./${LIBRARIES[module as keyof typeof LIBRARIES]}${quote}` // it is a key of the table
        : whole,
  );
}

async function assetOf(type: string, text: string): Promise<Asset> {
  const bytes = Buffer.from(text);
  return { type, bytes, zipped: await promisify(gzip)(bytes) };
}

function head(base: string, names: readonly string[]): string {
  const sheets = names
    .filter(name => extname(name) === '.css')
    .map(name => `<link rel="stylesheet" href="${base}/${name}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Hermes</title>
<link rel="icon" href="${base}/icon.svg">
${sheets.join('\n')}`;
}

function pageText(base: string, names: readonly string[]): string {
  const modules = names.filter(name => extname(name) === '.js');
  const preloads = modules.map(name => `<link rel="modulepreload" href="${base}/${name}">`);
  return `${head(base, names)}
${preloads.join('\n')}
<script type="module" src="${base}/main.js"></script>
</head>
<body>
<div id="app"><p class="door">Loading…</p></div>
<noscript><p class="door">This page needs JavaScript.</p></noscript>
</body>
</html>
`;
}

function doorText(base: string, names: readonly string[]): string {
  return `${head(base, names)}
</head>
<body>
<main class="door">
<h1>Hermes</h1>
<p>Nobody is logged in here. Make a link on the machine of the gateway, and open it in this browser:</p>
<pre>hermes gateway login</pre>
<p>It works once, and for ten minutes.</p>
</main>
</body>
</html>
`;
}
