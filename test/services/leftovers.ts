// Finds and removes what a test run left on this machine: processes, mounts, control groups and files.
import { readdir, readFile, readlink, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cgroupsOf, processesInCgroupsOf } from './cgroups.ts';
import { exists, isErrno, runCommand, waitUntil } from './command.ts';

/** In the environment of every process of a run; what a process starts inherits it. */
export const runVariable = 'HERMES_TEST_RUN';
/** The test file that started the process, for the report. */
export const fileVariable = 'HERMES_TEST_FILE';

export interface RunTraces {
  readonly runId: string;
  readonly runDir: string;
  /** What tests may use for temporary files; all that is in it at the end is a leftover. */
  readonly tmpDir: string;
}

/** Removes everything that is left of a run, and says what it was. The run's services must have been stopped before. */
export async function removeLeftovers(run: RunTraces): Promise<string[]> {
  const files = () => removeFiles(run.tmpDir);
  // Elsewhere none of the services that could leave more than files can run.
  if (process.platform !== 'linux') return files();
  return [
    ...(await endProcesses(run)),
    ...(await unmount(run.runDir)),
    ...(await removeCgroups(run.runId)),
    ...(await files()),
  ];
}

interface LeftProcess {
  readonly pid: number;
  readonly text: string;
}

/**
 * Processes of the run, but for this one and the workers of the test runner itself. Containers are known by their
 * control group; servers that write their title over their environment, by a path of the run in the title or as
 * their working folder.
 */
export async function processesOf(run: Pick<RunTraces, 'runId' | 'runDir'>): Promise<LeftProcess[]> {
  const tag = `${runVariable}=${run.runId}`;
  const found: LeftProcess[] = [];
  const contained = await processesInCgroupsOf(run.runId);
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const it = await inspect(pid);
    if (!it) continue;
    const isOurs =
      it.variables.includes(tag) ||
      contained.has(pid) ||
      it.command.includes(`${run.runDir}/`) ||
      isBelow(it.cwd, run.runDir);
    if (!isOurs) continue;
    const file = it.variables.find(variable => variable.startsWith(`${fileVariable}=`));
    const starter = file?.slice(fileVariable.length + 1) ?? 'a service';
    found.push({
      pid,
      text: `process ${pid}: ${it.command.slice(0, 300)} (in ${it.cwd}, started by ${starter})`,
    });
  }
  return found;
}

/** A process that runs and is no worker of the test runner; undefined for others. */
async function inspect(pid: number) {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // One that has ended and waits to be collected by its parent runs no more.
    if (state === 'Z') return undefined;
    const command = await commandOf(pid);
    if (Number(parent) === process.pid && isWorker(command)) return undefined;
    const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
    return { command, variables, cwd: await readlink(`/proc/${pid}/cwd`) };
  } catch (error) {
    // Ended meanwhile, or another user's, which cannot be ours unless we are root.
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}

/** Ends the processes in which Vitest runs tests at this moment. */
export async function endWorkers(): Promise<void> {
  if (process.platform !== 'linux') return;
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  for (const pid of children.split(' ').filter(Boolean)) {
    if (isWorker(await commandOf(Number(pid)))) kill(Number(pid));
  }
}

/** The command line of a process; empty if it has ended. */
async function commandOf(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').join(' ').trim();
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}

function isWorker(command: string): boolean {
  return /\/vitest\/dist\/workers\//.test(command);
}

async function endProcesses(run: RunTraces): Promise<string[]> {
  const texts = new Map<number, string>();
  // Killing one may bring up another that it was about to start.
  const endAll = async (): Promise<boolean> => {
    const left = await processesOf(run);
    for (const { pid, text } of left) {
      texts.set(pid, text);
      kill(pid);
    }
    return left.length === 0;
  };
  await waitUntil(endAll, { what: `the end of the processes of ${run.runId}`, timeoutMs: 30_000 });
  return [...texts.values()];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

async function unmount(runDir: string): Promise<string[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  const points = lines.map(line => line.split(' ')[4] ?? '').filter(point => isBelow(point, runDir));
  // The last mounted may lie inside or on top of the earlier ones.
  for (const point of points.toReversed()) await runCommand(['umount', '--lazy', point]);
  return points.map(point => `mount at ${point}`);
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

async function removeCgroups(runId: string): Promise<string[]> {
  const groups = await cgroupsOf(runId);
  for (const group of groups) await removeCgroup(group);
  return groups.map(group => `control group ${group}`);
}

/** A process that was killed leaves its group a moment later. */
async function removeCgroup(group: string): Promise<void> {
  const remove = async (): Promise<boolean> => {
    try {
      await rmdir(group);
    } catch (error) {
      if (isErrno(error, 'EBUSY')) return false;
      if (!isErrno(error, 'ENOENT')) throw error;
    }
    return true;
  };
  await waitUntil(remove, { what: `the processes of ${group} to end`, timeoutMs: 30_000 });
}

async function removeFiles(tmpDir: string): Promise<string[]> {
  if (!(await exists(tmpDir))) return [];
  const left: string[] = [];
  // One folder per test file (see setup-file.ts), so the path names the test that left it.
  for (const owner of await readdir(tmpDir, { withFileTypes: true })) {
    const path = join(tmpDir, owner.name);
    if (!owner.isDirectory()) left.push(`file ${path}`);
    else for (const name of await readdir(path)) left.push(`file or folder ${join(path, name)}`);
    await rm(path, { recursive: true, force: true });
  }
  return left;
}
