// A run that uses services, of tests or of benchmarks: its folder, the socket on which services are asked for, its end.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import { ServiceHost, type StopReport } from './host.ts';
import { removeLeftovers, runVariable } from './leftovers.ts';
import { isServiceName, services } from './registry.ts';
import { removeStaleRuns, runPrefix } from './stale-runs.ts';
import { listen } from './wire.ts';

export interface ServiceRun {
  /** Unix socket for `ask` of wire.ts. */
  readonly socket: string;
  /** For temporary files; everything in it at the end counts as left behind. */
  readonly tmpDir: string;
  readonly cacheDir: string;
  /** Stops the services, removes what is left and reports it. Later calls return the same report. */
  close(): Promise<StopReport>;
}

/** Removes the runs of owners that were killed, then opens one of this process. `say` prints a line of progress. */
export async function openServiceRun(say: (text: string) => void): Promise<ServiceRun> {
  const runId = `${runPrefix}${randomBytes(4).toString('hex')}`;
  const runDir = join(tmpdir(), runId);
  const tmpDir = join(runDir, 'tmp');
  await removeStaleRuns(tmpdir(), say);
  await mkdir(tmpDir, { recursive: true });
  await writeFile(join(runDir, 'owner'), String(process.pid));
  // Ordinary users of services go through it; the mode that mkdir gives depends on the umask.
  await chmod(runDir, 0o755);
  await chmod(tmpDir, 0o1777);
  // Inherited by workers and by all that they and the services start.
  process.env[runVariable] = runId;

  const host = new ServiceHost({ runId, runDir, cacheDir: cacheDir(), say });
  const socket = join(runDir, 'services');
  const server = await listen(socket, async name => {
    if (!isServiceName(name)) throw new Error(`there is no service ${name}`);
    return host.addressOf<unknown>(services[name]);
  });
  const closeNow = async (): Promise<StopReport> => {
    server.close();
    const { leftovers, failures } = await host.stopAll();
    const left = [...leftovers, ...(await removeLeftovers({ runId, runDir, tmpDir }))];
    await rm(runDir, { recursive: true, force: true });
    for (const [name, reason] of host.notAvailable) say(`not run: ${name}: ${reason}`);
    return { leftovers: left, failures };
  };
  let report: Promise<StopReport> | undefined;
  const close = (): Promise<StopReport> => {
    report ??= closeNow();
    return report;
  };
  return { socket, tmpDir, cacheDir: cacheDir(), close };
}
