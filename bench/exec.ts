// How long commands take on the local backend, beside a bare bash started by Node in the same run.
import { openSandbox, type SandboxHandle } from '../src/index.ts';
import { bare } from './bare.ts';
import type { Bench } from './bench.ts';

const bareBash = "spawn('bash', ['-c', …])";

export const exec: Bench = {
  doc: 'Commands on the local backend',
  rounds: 15,
  warmUp: 1,
  burst: 20,
  async open() {
    const sandbox = await openSandbox({ backend: 'local' });
    return {
      cases: [
        { name: bareBash, run: () => bash('echo hi') },
        { name: 'one-shot', run: () => sandbox.exec('echo hi'), against: bareBash, limit: { ratio: 2.5 } },
        {
          name: 'persistent',
          run: () => sandbox.exec('echo hi', { persistent: true }),
          against: bareBash,
          limit: { ratio: 1.5 },
        },
      ],
      close: () => sandbox.destroy(),
    };
  },
};

const bareBulk = 'bare bash, 10 MB';
const bareMany = '20 bare bashes at once';

/** The rarer and larger things, in fewer rounds. */
export const execBulk: Bench = {
  doc: 'Larger things on the local backend',
  rounds: 10,
  warmUp: 1,
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
      cases: [
        { name: bareBash, run: () => bash('echo hi') },
        { name: 'cold start', run: create, after: destroy, against: bareBash },
        {
          name: 'first command',
          before: create,
          run: async () => opened?.exec('echo hi'),
          after: destroy,
          against: bareBash,
        },
        { name: bareBulk, run: () => bash(tenMegabytes) },
        { name: '10 MB of output', run: () => sandbox.exec(tenMegabytes), against: bareBulk },
        { name: bareMany, run: () => twenty(() => bash('echo hi')) },
        { name: '20 at once', run: () => twenty(() => sandbox.exec('echo hi')), against: bareMany },
      ],
      close: () => sandbox.destroy(),
    };
  },
};

function bash(script: string): Promise<void> {
  return bare('bash', ['-c', script]);
}
