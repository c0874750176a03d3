// The processes of an instance as the host sees them. An id alone may belong to another process by now, so each is known
// by its start as well.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type Clock, sleep } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';

export interface HostProcess {
  readonly pid: number;
  /** In clock ticks since the machine's start. */
  readonly started: string;
}

export interface FoundInstance {
  /** Keeps its mounts, and clears them away after the end of the first process. */
  readonly monitor: HostProcess;
  /** The first process inside; with it all others end. */
  readonly first: HostProcess;
  /** Who it is on this machine. */
  readonly uid: number;
  /** Whether it has a user namespace of its own, which counts its processes apart. */
  readonly hasOwnUsers: boolean;
  /** Whether a system call filter is in force. */
  readonly isFiltered: boolean;
}

// What the kernel tells of processes takes less time than a hand-over to another thread.

/** Undefined when it has ended, also when nobody has collected it yet. */
function hostProcess(pid: number): HostProcess | undefined {
  const stat = unlessGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' || started === undefined ? undefined : { pid, started };
}

export function isAlive({ pid, started }: HostProcess): boolean {
  return hostProcess(pid)?.started === started;
}

/** The instance of this name, by the title that its monitor has. */
export function findInstance(name: string): FoundInstance | undefined {
  for (const pid of allPids()) {
    if (!isTitle(argumentsOf(pid)[0] ?? '', name)) continue;
    const child = allPids().find(each => isFirstOf(pid, each));
    const [monitor, first] = [hostProcess(pid), child === undefined ? undefined : hostProcess(child)];
    if (!monitor || !first) continue;
    const status = statusOf(first.pid);
    return {
      monitor,
      first,
      uid: Math.min(...[pid, first.pid].map(userOf)),
      hasOwnUsers: namespaceOf(first.pid, 'user') !== namespaceOf(process.pid, 'user'),
      isFiltered: status['Seccomp'] === '2',
    };
  }
  return undefined;
}

/** Everything that carries the instance or is about to: also what is still on its way up. */
export function processesNamed(name: string): readonly HostProcess[] {
  const pids = allPids().filter(pid => {
    const words = argumentsOf(pid);
    const isStarting = ['instance', 'start', name].every(word => words.includes(word));
    return pid !== process.pid && (isStarting || isTitle(words[0] ?? '', name));
  });
  return pids.map(hostProcess).filter(each => each !== undefined);
}

/** Pure: `Apptainer instance: user [name]`. */
export function isTitle(text: string, name: string): boolean {
  return /^\w+ instance: /i.test(text) && text.trimEnd().endsWith(` [${name}]`);
}

/** The process that has this id inside the instance. */
export function processInside(first: HostProcess, insidePid: number): HostProcess | undefined {
  const namespace = namespaceOf(first.pid, 'pid');
  if (namespace === undefined || !isAlive(first)) return undefined;
  const pid = allPids().find(
    each => insideIdOf(each) === insidePid && namespaceOf(each, 'pid') === namespace,
  );
  return pid === undefined ? undefined : hostProcess(pid);
}

/** Whether it lives and is that user's: which process it is may be known from a file that the user can write. */
export function isOfUser(target: HostProcess, uid: number): boolean {
  return isAlive(target) && userOf(target.pid) === uid;
}

/** Only one of that user's. */
export function killProcess({ pid, started }: HostProcess, uid: number): void {
  if (!isOfUser({ pid, started }, uid)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}

const LOOK_MS = 5;

/** False when it still lives after this time. */
export async function hasEnded(target: HostProcess, clock: Clock, patienceMs: number): Promise<boolean> {
  const end = clock.monotonic() + patienceMs;
  while (isAlive(target)) {
    if (clock.monotonic() > end) return false;
    await sleep(clock, LOOK_MS);
  }
  return true;
}

function allPids(): number[] {
  return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function argumentsOf(pid: number): readonly string[] {
  return (unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').split('\0');
}

function isFirstOf(monitor: number, pid: number): boolean {
  return insideIdOf(pid) === 1 && Number(statusOf(pid)['PPid']) === monitor;
}

function userOf(pid: number): number {
  return Number(statusOf(pid)['Uid']?.split(/\s+/)[0] ?? 0);
}

/** The id in the innermost namespace of processes. */
function insideIdOf(pid: number): number | undefined {
  const ids = statusOf(pid)['NSpid']?.split(/\s+/);
  return ids === undefined ? undefined : Number(ids.at(-1));
}

function statusOf(pid: number): Readonly<Record<string, string>> {
  const text = unlessGone(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
  const fields = text.split('\n').map(line => line.split(/:\s*/, 2) as [string, string?]); // `split` gives at least one
  return Object.fromEntries(fields.map(([name, value = '']) => [name, value.trim()]));
}

function namespaceOf(pid: number, kind: string): string | undefined {
  return unlessGone(() => readlinkSync(`/proc/${pid}/ns/${kind}`));
}

/** Processes end while they are looked at, and those of others are nobody's business. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}
