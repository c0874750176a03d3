// How long commands take on the local backend, beside a bare bash started by Node in the same run.
import { type ChildProcess, spawn } from 'node:child_process';
import { openSandbox } from '../src/index.ts';
import type { Bench } from './bench.ts';

const bare = "spawn('bash', ['-c', …])";

export const exec: Bench = {
  doc: 'Commands on the local backend',
  rounds: 200,
  warmUp: 10,
  async open() {
    const sandbox = await openSandbox({ backend: 'local' });
    return {
      cases: [
        { name: bare, run: () => finished(bash('echo hi')) },
        { name: 'one-shot', run: () => sandbox.exec('echo hi'), against: bare, limit: { ratio: 2.5 } },
        {
          name: 'persistent',
          run: () => sandbox.exec('echo hi', { persistent: true }),
          against: bare,
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
    const twenty = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, work));
    return {
      cases: [
        { name: 'bare bash', run: () => finished(bash('echo hi')) },
        { name: 'create, destroy', run: create, against: 'bare bash' },
        { name: 'create, first command, destroy', run: createAndRun, against: 'bare bash' },
        { name: bareBulk, run: () => finished(bash(tenMegabytes)) },
        { name: '10 MB of output', run: () => sandbox.exec(tenMegabytes), against: bareBulk },
        { name: bareMany, run: () => twenty(() => finished(bash('echo hi'))) },
        { name: '20 at once', run: () => twenty(() => sandbox.exec('echo hi')), against: bareMany },
      ],
      close: () => sandbox.destroy(),
    };
  },
};

async function create(): Promise<void> {
  await (await openSandbox({ backend: 'local' })).destroy();
}

async function createAndRun(): Promise<void> {
  await using sandbox = await openSandbox({ backend: 'local' });
  await sandbox.exec('echo hi');
}

/** Without a socket as input, for which bash would read ~/.bashrc and lose the comparison. */
function bash(script: string): ChildProcess {
  return spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function finished(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}
