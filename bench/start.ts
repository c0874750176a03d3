// How long the program takes to start and to answer an operator, beside Node's own start.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineBench } from './bench.ts';
import { hermes, node, startGateway } from './hermes-process.ts';

const bare = { name: '`node -e 0`' };

export const start = defineBench({
  title: 'Start',
  rounds: 20,
  warmUp: 2,
  cases: {
    bare,
    version: { name: '`hermes --version`', against: 'bare', limit: 2.2, isShort: true },
    help: { name: '`hermes --help`', against: 'bare', limit: 5 },
    check: { name: '`hermes config check`', against: 'bare', limit: 9, isShort: true },
    run: { name: '`hermes run -- true`', against: 'bare', limit: 12 },
  },
  async open() {
    const home = await mkdtemp(join(tmpdir(), 'hermes-bench-'));
    const run = (...args: string[]) => ({ run: () => node(args, { home }) });
    return {
      runs: {
        bare: run('-e', '0'),
        version: run(hermes, '--version'),
        help: run(hermes, '--help'),
        check: run(hermes, 'config', 'check'),
        run: run(hermes, 'run', '--', 'true'),
      },
      close: () => rm(home, { recursive: true }),
    };
  },
});

/** What `security audit` exits with when it found something. */
const FINDINGS = [1];

export const gatewayReady = defineBench({
  title: 'Start of a gateway, and answers beside it',
  about:
    'The gateway runs on the local backend; the last case has docker configured and no engine that answers.',
  rounds: 12,
  warmUp: 1,
  cases: {
    bare,
    ready: { name: '`hermes gateway start` until it is ready', against: 'bare', limit: 25 },
    status: { name: '`hermes status`, the gateway running', against: 'bare', limit: 13 },
    audit: { name: '`hermes security audit`, the gateway running', against: 'bare', limit: 20 },
    noEngine: { name: '`hermes security audit`, docker not running', against: 'bare', limit: 20 },
  },
  async open() {
    const homes = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'hermes-bench-'))));
    const [home = '', fresh = ''] = homes;
    const stopGateway = await startGateway({ home });
    let stop = async (): Promise<void> => {};
    const docker = { TERMINAL_ENV: 'docker', DOCKER_HOST: 'unix:///nonexistent/docker.sock' };
    const audit = ['security', 'audit', '--json'];
    return {
      runs: {
        bare: { run: () => node(['-e', '0'], { home }) },
        ready: {
          run: async () => {
            stop = await startGateway({ home: fresh });
          },
          after: () => stop(),
        },
        status: { run: () => node([hermes, 'status'], { home }) },
        audit: { run: () => node([hermes, ...audit], { home, codes: FINDINGS }) },
        noEngine: {
          run: () => node([hermes, ...audit], { home: fresh, codes: FINDINGS, environment: docker }),
        },
      },
      async close() {
        await stopGateway();
        for (const each of homes) await rm(each, { recursive: true });
      },
    };
  },
});
