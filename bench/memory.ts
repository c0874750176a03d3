// What idle sandboxes and a flood of output cost the process that holds them.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openSandbox } from '../src/index.ts';

export interface MemoryFigure {
  readonly name: string;
  readonly mebibytes: number;
  readonly limit: number;
}

const COUNT = 100;
const AT_ONCE = 10;
const MEBIBYTE = 1024 * 1024;

export async function measureMemory(): Promise<MemoryFigure[]> {
  // The first one loads code that all share.
  await using first = await openSandbox({ backend: 'local' });
  await first.exec('true');
  return [
    { name: 'idle sandbox', mebibytes: (await idle()) / MEBIBYTE, limit: 3 },
    { name: '1 GB of output', mebibytes: (await flood(first)) / MEBIBYTE, limit: 150 },
  ].map(figure => ({ ...figure, mebibytes: Number(figure.mebibytes.toFixed(2)) }));
}

async function idle(): Promise<number> {
  const before = settledMemory();
  const sandboxes: Awaited<ReturnType<typeof openUsed>>[] = [];
  while (sandboxes.length < COUNT) {
    sandboxes.push(...(await Promise.all(Array.from({ length: AT_ONCE }, openUsed))));
  }
  const after = settledMemory();
  await Promise.all(sandboxes.map(sandbox => sandbox.destroy()));
  return (after - before) / COUNT;
}

async function openUsed() {
  const sandbox = await openSandbox({ backend: 'local' });
  await sandbox.exec('true', { persistent: true });
  return sandbox;
}

async function flood(sandbox: Awaited<ReturnType<typeof openUsed>>): Promise<number> {
  const before = settledMemory();
  let highest = before;
  const look = () => {
    highest = Math.max(highest, process.memoryUsage.rss());
  };
  await sandbox.exec('head -c 1000000000 /dev/zero', { onOutput: look });
  look();
  return highest - before;
}

function settledMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage.rss();
}
