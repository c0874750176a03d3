// How long commands and containers take on the docker backend, beside the docker client in the same run.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { openSandbox, type SandboxHandle } from '../src/index.ts';
import { defineBench, type UseService } from './bench.ts';

const run = promisify(execFile);

export interface BenchEngine {
  readonly image: string;
  /** The docker client on the engine that the backend uses too. */
  docker(...args: string[]): Promise<unknown>;
}

/** From here on this process, and the docker backend in it, talks to the engine of the tests. */
export async function useEngine(use: UseService): Promise<BenchEngine> {
  const { image, docker } = await use('image-bookworm');
  process.env['DOCKER_HOST'] = docker.host;
  return { image, docker: (...args) => run(docker.dockerCli, args) };
}

const needs = ['image-bookworm'] as const;

export const dockerExec = defineBench({
  title: 'Commands on the docker backend',
  rounds: 30,
  warmUp: 3,
  needs,
  cases: {
    client: { name: '`docker exec … bash -c`' },
    oneShot: { name: 'one-shot', against: 'client', limit: 0.15 },
    persistent: { name: 'persistent', against: 'client', limit: 0.1 },
  },
  async open(use) {
    const { image, docker } = await useEngine(use);
    const sandbox = await open(image);
    return {
      runs: {
        client: { run: () => docker('exec', sandbox.ref.name, 'bash', '-c', 'echo hi') },
        oneShot: { run: () => sandbox.exec('echo hi') },
        persistent: { run: () => sandbox.exec('echo hi', { persistent: true }) },
      },
      close: () => sandbox.destroy(),
    };
  },
});

export const dockerCreate = defineBench({
  title: 'New containers on the docker backend',
  rounds: 8,
  needs,
  cases: {
    client: { name: '`docker run -d`, `docker exec`' },
    create: { name: 'create to first result', against: 'client', limit: 1.5 },
  },
  async open(use) {
    const { image, docker } = await useEngine(use);
    const made: (() => Promise<unknown>)[] = [];
    return {
      runs: {
        client: {
          run: async () => {
            const name = `hermes-bench-${randomBytes(6).toString('hex')}`;
            made.push(() => docker('rm', '--force', name));
            const flags = ['--detach', '--init', '--network', 'none', '--name', name];
            await docker('run', ...flags, image, 'sleep', '1000');
            await docker('exec', name, 'bash', '-c', 'echo hi');
          },
        },
        create: {
          run: async () => {
            const sandbox = await open(image);
            made.push(() => sandbox.destroy());
            await sandbox.exec('echo hi');
          },
        },
      },
      close: () => endAll(made),
    };
  },
});

const MANY = 20;

export const dockerMany = defineBench({
  title: `${MANY} new containers on the docker backend`,
  rounds: 3,
  warmUp: 0,
  needs,
  cases: {
    oneByOne: { name: 'one after the other' },
    atOnce: { name: 'all at once', against: 'oneByOne', limit: 0.85 },
  },
  async open(use) {
    const { image } = await useEngine(use);
    const made: (() => Promise<unknown>)[] = [];
    const one = async (): Promise<void> => {
      const sandbox = await open(image);
      made.push(() => sandbox.destroy());
    };
    const after = () => endAll(made.splice(0));
    return {
      runs: {
        oneByOne: {
          run: async () => {
            for (let count = 0; count < MANY; count++) await one();
          },
          after,
        },
        atOnce: { run: () => Promise.all(Array.from({ length: MANY }, one)), after },
      },
      close: after,
    };
  },
});

function open(image: string): Promise<SandboxHandle> {
  return openSandbox({ backend: 'docker', image, network: 'none' });
}

async function endAll(ends: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all(ends.map(end => end()));
}
