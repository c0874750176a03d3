// What is known of the bubblewrap program itself: whether it is there, how old it is, which flags it takes.
import { execFile } from 'node:child_process';

export interface BwrapProgram {
  /** Such as `0.8.0`. */
  readonly version: string;
  readonly flags: ReadonlySet<string>;
}

/** Its sized file systems in memory and cleared environment are needed; --disable-userns, since 0.8, is a second lock. */
export const OLDEST = '0.6.0';
const TIMEOUT_MS = 5_000;

/** Undefined when it does not tell. */
export async function findBwrap(path: string): Promise<BwrapProgram | undefined> {
  const [version, help] = await Promise.all([said(['--version'], path), said(['--help'], path)]);
  if (version === undefined || help === undefined) return undefined;
  return {
    version: /\d+(\.\d+)+/.exec(version)?.[0] ?? version.trim(),
    flags: new Set(help.match(/--[a-z0-9-]+/g)),
  };
}

const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-net',
  '--ro-bind',
  '/',
  '/',
  '--proc',
  '/proc',
];

/** By a real run, as the user who sandboxes are: whether the kernel permits what every one of them needs. */
export function makesNamespaces(path: string, user: { uid?: number; gid?: number }): Promise<boolean> {
  return new Promise(resolve => {
    const options = {
      env: { PATH: path },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      cwd: '/',
      ...user,
    } as const;
    execFile('bwrap', [...NAMESPACES, 'true'], options, error => resolve(error === null));
  });
}

function said(args: readonly string[], path: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const options = { env: { PATH: path }, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
    execFile('bwrap', args, options, (error, stdout, stderr) => resolve(error ? undefined : stdout + stderr));
  });
}

export function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map(each => each.split('.').map(Number));
  for (const [at, part] of (right ?? []).entries()) {
    const own = left?.[at] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
