// libfaketime, with which the clock of one process is set.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf } from './apt.ts';
import { runCommand } from './command.ts';
import { NotAvailable, type Service } from './service.ts';

export interface FaketimeAddress {
  /** The environment of a process whose clock goes by the offset in a file, such as `-3600`, at any time. */
  readonly library: string;
}

const DAY_S = 86_400;
const LIBRARY = 'faketime/libfaketime.so.1';

export const faketime: Service<FaketimeAddress> = {
  name: 'faketime',
  async start(context) {
    if (process.platform !== 'linux') throw new NotAvailable('libfaketime is looked for on Linux only');
    await commandsOf(context, { faketime: 'faketime' });
    for (const folder of await readdir('/usr/lib')) {
      const library = join('/usr/lib', folder, LIBRARY);
      const { stdout } = await runCommand(['sh', '-c', 'test -f "$1" && echo there || :', 'sh', library]);
      if (stdout === '') continue;
      await prove(library, join(context.dir, 'offset'));
      return { address: { library }, stop: async () => undefined };
    }
    throw new NotAvailable(`${LIBRARY} is nowhere below /usr/lib`);
  },
};

/** That a program of Node goes by the file. */
async function prove(library: string, file: string): Promise<void> {
  await writeFile(file, `-${DAY_S}\n`);
  const env = faketimeEnvironment(library, file);
  const { stdout } = await runCommand([process.execPath, '-p', 'Date.now()'], { env });
  if (Date.now() - Number(stdout) < (DAY_S * 1000) / 2)
    throw new NotAvailable(`${library} does not set the clock of Node`);
}

/** Processes of the gateway's own, such as a sandbox's, go by it too; monotonic time is left alone. */
export function faketimeEnvironment(library: string, file: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
}
