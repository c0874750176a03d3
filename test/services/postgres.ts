// A PostgreSQL server on loopback with a fresh data folder, run by an unprivileged user.
import { chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { commandsOf, installPackages } from './apt.ts';
import {
  type Argv,
  CommandFailed,
  exists,
  findCommand,
  runCommand,
  startDaemon,
  waitUntil,
} from './command.ts';
import { freePort } from './free-port.ts';
import { NotAvailable, type Service, type ServiceContext } from './service.ts';

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly url: string;
  readonly psql: string;
}

/** Debian's `nobody`: the server refuses to run as root, and needs no account of its own. */
const unprivileged = { uid: 65534, gid: 65534 };

export const postgres: Service<PostgresAddress> = {
  name: 'postgres',
  async start(context) {
    const { initdb, server, psql } = await findPrograms(context);
    const data = join(context.dir, 'data');
    await mkdir(data, { mode: 0o700 });
    const asRoot = process.getuid?.() === 0;
    if (asRoot) await chown(data, unprivileged.uid, unprivileged.gid);
    const { uid, gid } = unprivileged;
    const drop: Argv = asRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : ['env'];
    // A name that `initdb` would otherwise take from the account; data that dies with the run needs no syncing.
    const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
    await runCommand([...drop, initdb, ...init]);
    const port = await freePort();
    const settings = [
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-k',
      '',
      '-F',
      '-c',
      'dynamic_shared_memory_type=mmap',
    ];
    const daemon = await startDaemon([...drop, server, '-D', data, ...settings], {
      logFile: join(context.dir, 'log'),
    });
    // SIGINT is PostgreSQL's "fast" stop: it ends sessions instead of waiting for them.
    const stop = () => {
      daemon.kill('SIGINT');
      return daemon.stop(10_000);
    };
    const address = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres', psql };
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    try {
      await waitUntil(() => answers(psql, url), {
        what: 'postgres',
        timeoutMs: 60_000,
        daemon,
        signal: context.signal,
      });
      return { address: { ...address, url }, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

/** On the path on some machines; Debian's package has a folder per version instead. */
async function findPrograms(context: ServiceContext) {
  const { psql } = await commandsOf(context, { psql: 'postgresql-client' });
  const [initdb, server] = [await findCommand('initdb'), await findCommand('postgres')];
  if (initdb && server) return { initdb, server, psql };
  if (!(await debianFolder())) await installPackages(context, ['postgresql']);
  const folder = await debianFolder();
  if (!folder) throw new NotAvailable('Debian has no initdb where it is expected');
  return { initdb: join(folder, 'initdb'), server: join(folder, 'postgres'), psql };
}

/** The programs of the newest server that is installed. */
async function debianFolder(): Promise<string | undefined> {
  const top = '/usr/lib/postgresql';
  const versions = (await exists(top)) ? await readdir(top) : [];
  for (const version of versions.toSorted((a, b) => Number(b) - Number(a))) {
    const folder = join(top, version, 'bin');
    if (await exists(join(folder, 'initdb'))) return folder;
  }
  return undefined;
}

async function answers(psql: string, url: string): Promise<boolean> {
  try {
    await runCommand([psql, '-XAt', '-c', 'select 1', url], { timeoutMs: 60_000 });
    return true;
  } catch (error) {
    if (error instanceof CommandFailed) return false;
    throw error;
  }
}
