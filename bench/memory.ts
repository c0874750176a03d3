// What idle sandboxes and a flood of output cost in memory; printed as figures, not as times.
import { openSandbox } from '../src/index.ts';

export interface MemoryReport {
  readonly idleSandboxes: number;
  readonly mebibytesPerIdleSandbox: number;
  readonly mebibytesForOneGigabyte: number;
}

const COUNT = 50;
const MEBIBYTE = 1024 * 1024;

export async function measureMemory(): Promise<MemoryReport> {
  // The first one loads code that all share.
  const first = await openSandbox({ backend: 'local' });
  await first.exec('true');
  const before = settledMemory();
  const sandboxes = await Promise.all(Array.from({ length: COUNT }, () => openSandbox({ backend: 'local' })));
  const idle = settledMemory() - before;
  await Promise.all(sandboxes.map(sandbox => sandbox.destroy()));

  const beforeFlood = process.memoryUsage().rss;
  let highest = beforeFlood;
  await first.exec('head -c 1000000000 /dev/zero', {
    onOutput: () => {
      highest = Math.max(highest, process.memoryUsage.rss());
    },
  });
  highest = Math.max(highest, process.memoryUsage.rss());
  await first.destroy();
  return {
    idleSandboxes: COUNT,
    mebibytesPerIdleSandbox: idle / COUNT / MEBIBYTE,
    mebibytesForOneGigabyte: (highest - beforeFlood) / MEBIBYTE,
  };
}

function settledMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}
