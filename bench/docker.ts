// How long commands and containers take on the docker backend, beside the docker client in the same run. Needs an engine
// (DOCKER_HOST) and, in HERMES_BENCH_IMAGE, an image with bash that it has.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { openSandbox, type SandboxHandle } from '../src/index.ts';
import type { Bench, BenchCase } from './bench.ts';

const run = promisify(execFile);
const docker = (...args: string[]) => run('docker', args);
const clientExec = 'docker exec … bash -c';

export const dockerExec: Bench = {
  doc: 'Commands on the docker backend',
  rounds: 40,
  warmUp: 5,
  open: () =>
    withImage(async image => {
      const sandbox = await open(image);
      return {
        cases: [
          { name: clientExec, run: () => docker('exec', sandbox.ref.name, 'bash', '-c', 'echo hi') },
          {
            name: 'one-shot',
            run: () => sandbox.exec('echo hi'),
            against: clientExec,
            limit: { ratio: 0.15 },
          },
          {
            name: 'persistent',
            run: () => sandbox.exec('echo hi', { persistent: true }),
            against: clientExec,
            limit: { ratio: 0.1 },
          },
        ],
        close: () => sandbox.destroy(),
      };
    }),
};

const clientRun = 'docker run -d, docker exec';

export const dockerCreate: Bench = {
  doc: 'New containers on the docker backend; they are removed after the measurement',
  rounds: 8,
  warmUp: 1,
  open: () =>
    withImage(async image => {
      const made: (() => Promise<unknown>)[] = [];
      return {
        cases: [
          { name: clientRun, run: () => runWithClient(image, made) },
          {
            name: 'create, first result',
            run: async () => {
              const sandbox = await open(image);
              made.push(() => sandbox.destroy());
              await sandbox.exec('echo hi');
            },
            against: clientRun,
            limit: { ratio: 1.5 },
          },
        ],
        close: () => endAll(made),
      };
    }),
};

const oneByOne = '20 one after the other';

export const dockerMany: Bench = {
  doc: 'Twenty new containers on the docker backend; they are removed after the measurement',
  rounds: 2,
  warmUp: 0,
  open: () =>
    withImage(async image => {
      const made: (() => Promise<unknown>)[] = [];
      const one = async (): Promise<void> => {
        const sandbox = await open(image);
        made.push(() => sandbox.destroy());
      };
      return {
        cases: [
          {
            name: oneByOne,
            run: async () => {
              for (let count = 0; count < 20; count++) await one();
            },
          },
          {
            name: '20 at once',
            run: () => Promise.all(Array.from({ length: 20 }, one)),
            against: oneByOne,
            limit: { ratio: 0.75 },
          },
        ],
        close: () => endAll(made),
      };
    }),
};

interface Opened {
  readonly cases: readonly BenchCase[];
  close(): Promise<void>;
}

/** Without an image there is nothing to measure, and that is said. */
async function withImage(prepare: (image: string) => Promise<Opened>): Promise<Opened> {
  const image = process.env['HERMES_BENCH_IMAGE'];
  if (image) return prepare(image);
  console.error('not run: HERMES_BENCH_IMAGE names no image');
  return { cases: [], close: async () => {} };
}

function open(image: string): Promise<SandboxHandle> {
  return openSandbox({ backend: 'docker', image, network: 'none' });
}

async function runWithClient(image: string, made: (() => Promise<unknown>)[]): Promise<void> {
  const name = `hermes-bench-${randomBytes(6).toString('hex')}`;
  made.push(() => docker('rm', '--force', name));
  await docker('run', '--detach', '--init', '--network', 'none', '--name', name, image, 'sleep', '1000');
  await docker('exec', name, 'bash', '-c', 'echo hi');
}

async function endAll(ends: (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all(ends.map(end => end()));
}
