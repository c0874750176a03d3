// The program behind this backend: where it is, what it is told of our environment, and how it is run to its end.
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';
import type { DriverContext, ProcessExit } from '../backend.ts';
import { startChild } from '../child-process.ts';
import { unavailable } from './faults.ts';

type Environment = DriverContext['environment'];

const NAMES = ['apptainer', 'singularity'];
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const KEPT_BYTES = 8_192;

/** Of the gateway's variables it gets these alone; those of the operator's own work with it, such as binds, would open sandboxes. */
const USUAL = ['HOME', 'USER', 'LOGNAME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
/** For what it loads from elsewhere. */
const LOADING = [
  ...[
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
  ],
  ...['APPTAINER', 'SINGULARITY'].flatMap(prefix => [
    `${prefix}_DOCKER_USERNAME`,
    `${prefix}_DOCKER_PASSWORD`,
    `${prefix}_CONFIGDIR`,
  ]),
];

export interface Program {
  /** Absolute. */
  readonly file: string;
  readonly name: string;
  readonly path: string;
}

/** Throws UNAVAILABLE_BACKEND when there is none. */
export function findProgram(environment: Environment): Program {
  if (process.platform !== 'linux')
    throw unavailable('Apptainer runs on Linux only', 'Choose another backend');
  const { PATH } = environment;
  const path = PATH === undefined ? DEFAULT_PATH : `${PATH}:${DEFAULT_PATH}`;
  for (const name of NAMES) {
    const file = fileOnPath(name, path);
    if (file !== undefined) return { file, name: basename(file), path };
  }
  throw unavailable(
    'neither apptainer nor singularity is installed',
    'Install it, on Fedora and EPEL with: dnf install apptainer, on Ubuntu with: add-apt-repository ppa:apptainer/ppa && apt-get install apptainer, on a cluster perhaps with: module load apptainer',
  );
}

function fileOnPath(name: string, path: string): string | undefined {
  const files = path.split(':').map(folder => join(folder, name));
  return files.find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    const about = statSync(file, { throwIfNoEntry: false });
    return about?.isFile() === true && (about.mode & 0o111) !== 0;
  } catch (error) {
    if (systemErrorCode(error) === 'EACCES' || systemErrorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** Pure. `configDir`: where it keeps what it knows of instances; absent = where it usually does. */
export function programEnvironment(
  environment: Environment,
  { path, configDir }: { readonly path: string; readonly configDir?: string },
): Record<string, string> {
  const own =
    configDir === undefined ? {} : { APPTAINER_CONFIGDIR: configDir, SINGULARITY_CONFIGDIR: configDir };
  return { ...picked(environment, USUAL), PATH: path, ...own };
}

/** Pure. The same for what is loaded and converted below a folder of ours. */
export function loadingEnvironment(
  environment: Environment,
  path: string,
  tmpDir: string,
): Record<string, string> {
  const places = { APPTAINER_TMPDIR: tmpDir, SINGULARITY_TMPDIR: tmpDir, TMPDIR: tmpDir };
  return { ...picked(environment, [...USUAL, ...LOADING]), PATH: path, ...places };
}

function picked(environment: Environment, names: readonly string[]): Record<string, string> {
  const found = names.flatMap(name => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Hears each line as it is said. */
  readonly onLine?: (line: string) => void;
}

export interface Finished {
  readonly exit: ProcessExit;
  /** The end of what it said, on both streams. */
  readonly said: string;
  readonly timedOut: boolean;
}

/** Rejects with the reason of an abort; then, as after its time, nothing of it runs but what has left its group. */
export async function runProgram(
  argv: readonly [string, ...string[]],
  options: RunOptions,
): Promise<Finished> {
  const { env, clock, timeoutMs, signal, onLine } = options;
  signal?.throwIfAborted();
  const child = await startChild({ argv, cwd: '/', env });
  let said = '';
  let line = '';
  child.onOutput((_, data) => {
    const text = Buffer.from(data).toString();
    said = (said + text).slice(-KEPT_BYTES);
    const lines = (line + text).split(/[\r\n]+/);
    line = lines.pop() ?? '';
    for (const each of lines) onLine?.(each);
    return undefined;
  });
  child.end();
  let timedOut = false;
  const stop = (): void => {
    endGroup(child.pid);
    child.kill();
  };
  const timer = clock.after(timeoutMs, () => {
    timedOut = true;
    stop();
  });
  signal?.addEventListener('abort', stop, { once: true });
  const exit = await child.exit;
  timer.cancel();
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  return { exit, said, timedOut };
}

/** It was started as the leader of a group of its own. */
export function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}

export function succeeded({ exit }: Finished): boolean {
  return 'code' in exit && exit.code === 0;
}

/** Its last error in its own words, without the marks before it. */
export function complaintIn(said: string): string {
  const lines = said.split('\n').map(line => line.trim());
  const complaints = lines.filter(line => /^(FATAL|ERROR)/.test(line));
  const told = complaints[0] ?? lines.filter(Boolean).at(-1) ?? 'nothing';
  return told.replace(/^(FATAL|ERROR):\s*/, '');
}
