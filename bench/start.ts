// How long the CLI takes to start, above Node's own start.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.ts';

const hermes = join(import.meta.dirname, '../bin/hermes.js');

export const start: Bench = {
  doc: 'Start of the CLI',
  rounds: 20,
  warmUp: 3,
  async open() {
    const home = await mkdtemp(join(tmpdir(), 'hermes-bench-'));
    const node = (...args: string[]) => run(args, home);
    const bare = 'node -e 0';
    return {
      cases: [
        { name: bare, run: () => node('-e', '0') },
        {
          name: 'hermes --version',
          run: () => node(hermes, '--version'),
          against: bare,
          limit: { extraMs: 150 },
        },
        {
          name: 'hermes config check',
          run: () => node(hermes, 'config', 'check'),
          against: bare,
          limit: { extraMs: 300 },
        },
        {
          name: 'hermes run -- true',
          run: () => node(hermes, 'run', '--', 'true'),
          against: bare,
          limit: { extraMs: 400 },
        },
        {
          name: 'hermes status',
          run: () => node(hermes, 'status'),
          against: bare,
          limit: { extraMs: 450 },
        },
        {
          name: 'hermes security audit',
          run: () => node(hermes, 'security', 'audit'),
          against: bare,
          limit: { extraMs: 1900 },
        },
        { name: 'hermes --help', run: () => node(hermes, '--help'), against: bare },
      ],
      close: () => rm(home, { recursive: true }),
    };
  },
};

function run(args: readonly string[], home: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: 'ignore',
      env: { ...process.env, HERMES_HOME: home },
    });
    child.on('error', reject);
    child.on('exit', code =>
      code === 0 ? resolve() : reject(new Error(`${args.join(' ')} exited ${code}`)),
    );
  });
}
