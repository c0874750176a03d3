// The very bwrap that a sandbox was made with, started bare: the same flags and filter, and one bash in place of all that
// Hermes puts inside. What a sandbox takes longer than this is Hermes' own doing.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seccompFilter } from '../src/backends/bubblewrap/seccomp.ts';

const OWN = ['bash', '-c', 'echo hi'];

/** `name`: of a sandbox that lives, whose folders are used again. `dir`: for the filter. */
export function sameBwrap(name: string, dir: string): () => Promise<void> {
  const pid = readdirSync('/proc').find(each => /^\d+$/.test(each) && isIts(each, name));
  if (pid === undefined) throw new Error(`no bwrap of ${name} is running`);
  const argv = wordsOf(pid);
  const inside = argv.lastIndexOf('bash', argv.indexOf('hermes-starter'));
  const [program = '', ...flags] = argv.slice(0, inside);
  const { uid, gid } = idsOf(pid);
  const filter = join(dir, 'filter');
  const architecture = process.arch as Parameters<typeof seccompFilter>[0]; // it runs here already
  writeFileSync(filter, seccompFilter(architecture, { refusesSetId: false }));
  const filterFd = Number(flags[flags.indexOf('--seccomp') + 1]);
  const last = Math.max(
    ...['--seccomp', '--info-fd', '--block-fd'].map(flag => Number(flags[flags.indexOf(flag) + 1]) || 0),
  );
  return () => {
    const fds = Array.from({ length: last - 2 }, (_, at) =>
      at + 3 === filterFd ? openSync(filter, 'r') : openSync('/dev/null', 'r+'),
    );
    const child = spawn(program, [...flags, ...OWN], {
      stdio: ['ignore', 'pipe', 'inherit', ...fds],
      uid,
      gid,
    });
    for (const fd of fds) closeSync(fd);
    child.stdout?.resume();
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', code => (code === 0 ? resolve() : reject(new Error(`bwrap exited ${code}`))));
    });
  };
}

function isIts(pid: string, name: string): boolean {
  try {
    const words = wordsOf(pid);
    return words[0] === 'bwrap' && words.includes(name);
  } catch {
    return false; // it has ended meanwhile
  }
}

function wordsOf(pid: string): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
}

function idsOf(pid: string): { uid: number; gid: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const id = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { uid: id('Uid'), gid: id('Gid') };
}
