// Looks at the engine and at this machine from outside, past the backend.
import { readdir, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { isErrno } from '../../services/command.ts';

/** The engine's own record of an exec, as text. */
export function execInspect(socketPath: string, id: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  get({ socketPath, path: `/exec/${id}/json` }, response => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      text += piece;
    });
    response.on('end', () => resolve(text));
  }).on('error', reject);
  return promise;
}

/** The arguments of every process of this machine. */
export async function hostArguments(): Promise<string> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async pid => {
      try {
        return await readFile(`/proc/${pid}/cmdline`, 'utf8');
      } catch (error) {
        if (isErrno(error, 'ENOENT', 'ESRCH')) return '';
        throw error;
      }
    }),
  );
  return all.join('\n');
}
