#!/usr/bin/env node
// The entry point, in JavaScript that any Node understands: Node 24 goes on to the program itself,
// an older one hands over to the Node 24 that `npm ci` put beside it, or says what to install.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const WANTED_MAJOR = 24;
const root = new URL('../', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= WANTED_MAJOR) await runHere();
else runOn(bundledNode());

async function runHere() {
  const { enableCompileCache } = await import('node:module');
  // Beside the code it caches and with the same owner: a cache in a shared /tmp could be planted.
  enableCompileCache?.(fileURLToPath(new URL('node_modules/.cache/hermes', root)));
  const inClone = existsSync(new URL('src/cli/main.ts', root));
  const { main } = await import(inClone ? '../src/cli/main.ts' : '../dist/cli/main.js');
  await main();
}

/** @returns {string | undefined} the path of the Node that an optional dependency brought along */
function bundledNode() {
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`);
    const node = fileURLToPath(new URL('bin/node', `file://${manifest}`));
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} node */
function runOn(node) {
  if (!node) {
    process.stderr.write(
      `hermes needs Node.js ${WANTED_MAJOR} or newer; this is ${process.version}.\n` +
        `Install Node.js ${WANTED_MAJOR}, or run "npm ci" with optional dependencies on Linux x64 or arm64.\n`,
    );
    process.exitCode = 2;
    return;
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; the child decides. What is sent to us alone is passed on.
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);
  for (const signal of signals) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', error => {
    process.stderr.write(`hermes could not start ${node}: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
