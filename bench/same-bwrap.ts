// The very bwrap that a sandbox was made with, started bare: the same flags and filter, and one bash in place of all that
// Hermes puts inside. What a sandbox takes longer than this is Hermes' own doing.
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planCgroups } from '../src/backends/bubblewrap/cgroups.ts';
import { sandboxCommand } from '../src/backends/bubblewrap/command.ts';
import { FLAGS_FD, SECCOMP_FD } from '../src/backends/bubblewrap/descriptors.ts';
import { readLabel, topFolder } from '../src/backends/bubblewrap/folder.ts';
import { inspectMachine } from '../src/backends/bubblewrap/machine.ts';
import { readEnvironment } from '../src/config/environment.ts';

const OWN = ['bash', '-c', 'echo hi'];

/** `name`: of a sandbox that lives, whose folders are used again. `home`: of its installation. */
export async function sameBwrap(name: string, home: string): Promise<() => Promise<void>> {
  const folder = join(topFolder(home, process.getuid?.() === 0), name);
  const label = await readLabel(folder);
  if (!label) throw new Error(`there is no sandbox ${name}`);
  const machine = inspectMachine(readEnvironment()['PATH'], undefined);
  const made = planCgroups(machine.cgroups, name, label.limits);
  const held = new Set(made.flatMap(({ controllers }) => controllers));
  const { argv, flags, user } = sandboxCommand({ folder, label, machine, made, held });
  const [program, ...line] = argv.slice(0, argv.indexOf('--') + 1);
  const files = new Map([
    [SECCOMP_FD, join(home, 'filter')],
    [FLAGS_FD, join(home, 'flags')],
  ]);
  writeFileSync(join(home, 'filter'), machine.seccomp.usual);
  writeFileSync(join(home, 'flags'), flags.map(word => `${word}\0`).join(''));
  return () => {
    const fds = Array.from({ length: FLAGS_FD - 2 }, (_, at) => {
      const file = files.get(at + 3);
      return file === undefined ? openSync('/dev/null', 'r+') : openSync(file, 'r');
    });
    const child = spawn(program ?? '', [...line, ...OWN], {
      stdio: ['ignore', 'pipe', 'inherit', ...fds],
      ...user,
    });
    for (const fd of fds) closeSync(fd);
    child.stdout?.resume();
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', code => (code === 0 ? resolve() : reject(new Error(`bwrap exited ${code}`))));
    });
  };
}
