// What is known of the bubblewrap program itself: whether it is there, how old it is, which flags it takes.
import { execFile } from 'node:child_process';
import { systemErrorCode } from '../../base/errors.ts';

export interface BwrapProgram {
  /** Such as `0.8.0`. */
  readonly version: string;
  readonly flags: ReadonlySet<string>;
}

/** Its sized file systems in memory and cleared environment are needed; --disable-userns, since 0.8, is a second lock. */
export const OLDEST = '0.6.0';
const TIMEOUT_MS = 5_000;

/** Undefined when there is none on the path. */
export async function findBwrap(path: string): Promise<BwrapProgram | undefined> {
  const [version, help] = await Promise.all([said(['--version'], path), said(['--help'], path)]);
  if (version === undefined || help === undefined) return undefined;
  return {
    version: /\d+(\.\d+)+/.exec(version)?.[0] ?? version.trim(),
    flags: new Set(help.match(/--[a-z0-9-]+/g)),
  };
}

function said(args: readonly string[], path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    execFile('bwrap', args, { env: { PATH: path }, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout + stderr);
      return systemErrorCode(error) === 'ENOENT' ? resolve(undefined) : reject(error);
    });
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
