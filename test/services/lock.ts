// A lock between processes of this machine that cannot outlive its holder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findCommand } from './command.ts';
import { NotAvailable } from './service.ts';

/** Does the work while holding the lock of that file; waits for other holders, however long they take. */
export async function withLock<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const flock = await findCommand('flock');
  if (!flock) throw new NotAvailable('please install flock (util-linux)');
  // The lock belongs to an open file: it is free again when this pipe closes, even if we are killed.
  const holder = spawn(flock, [file, 'sh', '-c', 'echo held; exec cat >/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(holder, 'exit');
  try {
    await Promise.race([
      once(holder.stdout, 'data', { signal }),
      ended.then(() => Promise.reject(new Error(`the lock ${file} could not be taken`))),
    ]);
    return await work();
  } finally {
    holder.stdin.end();
    if (signal.aborted) holder.kill();
    await ended;
  }
}
