// How long commands take on the local backend, beside a bare bash started by Node in the same run.
import { openSandbox, type SandboxHandle } from '../src/index.ts';
import { bare } from './bare.ts';
import { defineBench } from './bench.ts';

const bareBash = { name: "`spawn('bash', ['-c', …])`" };

export const exec = defineBench({
  title: 'Commands on the local backend',
  about:
    'Each case repeats five times in a row, so that what one command leaves to be done weighs on the next.',
  rounds: 40,
  burst: 5,
  cases: {
    bare: bareBash,
    oneShot: { name: 'one-shot', against: 'bare', limit: 1.6, isShort: true },
    persistent: { name: 'persistent', against: 'bare', limit: 0.9, isShort: true },
  },
  async open() {
    const sandbox = await openSandbox({ backend: 'local' });
    return {
      runs: {
        bare: { run: () => bash('echo hi') },
        oneShot: { run: () => sandbox.exec('echo hi') },
        persistent: { run: () => sandbox.exec('echo hi', { persistent: true }) },
      },
      close: () => sandbox.destroy(),
    };
  },
});

export const execBulk = defineBench({
  title: 'Larger things on the local backend',
  rounds: 10,
  cases: {
    bare: bareBash,
    create: { name: 'create a sandbox', against: 'bare', limit: 15 },
    first: { name: 'its first command', against: 'bare', limit: 2 },
    bareBulk: { name: 'bare bash, 10 MB of output' },
    bulk: { name: '10 MB of output', against: 'bareBulk', limit: 5 },
    bareMany: { name: '20 bare bashes at once' },
    many: { name: '20 commands at once', against: 'bareMany', limit: 2 },
  },
  async open() {
    const sandbox = await openSandbox({ backend: 'local' });
    const tenMegabytes = 'head -c 10000000 /dev/zero';
    let opened: SandboxHandle | undefined;
    const create = async () => {
      opened = await openSandbox({ backend: 'local' });
    };
    const destroy = async () => opened?.destroy();
    const twenty = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, work));
    return {
      runs: {
        bare: { run: () => bash('echo hi') },
        create: { run: create, after: destroy },
        first: { before: create, run: () => opened?.exec('echo hi'), after: destroy },
        bareBulk: { run: () => bash(tenMegabytes) },
        bulk: { run: () => sandbox.exec(tenMegabytes) },
        bareMany: { run: () => twenty(() => bash('echo hi')) },
        many: { run: () => twenty(() => sandbox.exec('echo hi')) },
      },
      close: () => sandbox.destroy(),
    };
  },
});

function bash(script: string): Promise<void> {
  return bare('bash', ['-c', script]);
}
