// Ends the engine of a test of its own and waits for the one that is started in its place.
import { readFile } from 'node:fs/promises';
import { isErrno, waitUntil } from '../../services/command.ts';
import { isDockerAlive } from '../../services/docker-api.ts';
import type { LoopbackDockerAddress } from '../../services/docker-loopback.ts';
import { PATIENCE_MS } from '../../wait.ts';

export async function restartEngine(address: LoopbackDockerAddress): Promise<void> {
  const before = await numberOf(address);
  process.kill(before, 'SIGTERM');
  const isNew = async (): Promise<boolean> =>
    ![0, before].includes(await numberOf(address)) && (await isDockerAlive(address.docker.socket));
  await waitUntil(isNew, { what: 'the restarted engine', timeoutMs: PATIENCE_MS });
}

async function numberOf({ pidFile }: LoopbackDockerAddress): Promise<number> {
  try {
    return Number(await readFile(pidFile, 'utf8'));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return 0;
    throw error;
  }
}
