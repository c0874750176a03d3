// How long commands take on the backends of clouds, beside a bare round trip over a way as long. The clouds are protocol
// doubles on this machine; bubblewrap runs the commands.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import type { SandboxHandle } from '../src/index.ts';
import { startDaytona } from '../test/doubles/daytona-server.ts';
import { startEcho } from '../test/doubles/modal-relay.ts';
import { startModalDouble } from '../test/doubles/modal-server.ts';
import { type Bench, defineBench } from './bench.ts';

/** Long beside what both ends compute on a loaded machine, so that a second round trip or a wait shows in the ratio. */
const LATENCY_MS = 50;
/** Twice would be a second round trip. */
const LIMIT = 1.6;

interface Cloud {
  readonly sandbox: SandboxHandle;
  close(): Promise<void>;
}

export const modal = cloudBench('The modal backend', async dir => {
  const double = await startModalDouble({ dir, bwrap: 'bwrap', latencyMs: LATENCY_MS });
  const environment = {
    ...{ HOME: dir, HERMES_HOME: dir, TERMINAL_MODAL_IMAGE: 'debian:bookworm', MODAL_SERVER_URL: double.url },
    ...{ MODAL_TOKEN_ID: double.tokenId, MODAL_TOKEN_SECRET: double.tokenSecret },
  };
  const config = await loadHermesConfig(environment);
  const sandbox = await openSandboxWith(config, environment, { backend: 'modal' });
  return { sandbox, close: () => double.close() };
});

export const daytona = cloudBench('The daytona backend', async dir => {
  const double = await startDaytona();
  const environment = {
    ...{ HOME: dir, HERMES_HOME: dir, DAYTONA_API_KEY: double.key, DAYTONA_API_URL: double.apiUrl },
  };
  const config = await loadHermesConfig(environment);
  const sandbox = await openSandboxWith(config, environment, { backend: 'daytona' });
  double.setLatency(LATENCY_MS);
  return { sandbox, close: () => double.close() };
});

function cloudBench(title: string, openCloud: (dir: string) => Promise<Cloud>): Bench {
  return defineBench({
    title,
    about: `Against a protocol double, never the service itself; ${LATENCY_MS} ms each way.`,
    rounds: 25,
    warmUp: 2,
    needs: ['bubblewrap'],
    cases: {
      bare: { name: 'one round trip' },
      persistent: { name: 'persistent', against: 'bare', limit: LIMIT, isShort: true },
      oneShot: { name: 'one-shot', against: 'bare', limit: LIMIT, isShort: true },
      output: { name: 'first output of a command that goes on', against: 'bare', limit: LIMIT },
    },
    async open() {
      const dir = await mkdtemp(join(tmpdir(), 'hermes-bench-'));
      const { sandbox, close } = await openCloud(dir);
      const echo = await startEcho(LATENCY_MS);
      let going: Promise<unknown> = Promise.resolve();
      return {
        runs: {
          bare: { run: echo.ask },
          persistent: { run: () => sandbox.exec('echo hi', { persistent: true }) },
          oneShot: { run: () => sandbox.exec('echo hi') },
          output: {
            run: () =>
              new Promise<void>(resolve => {
                going = sandbox.exec('echo hi; sleep 0.3', { onOutput: () => resolve() });
              }),
            after: () => going,
          },
        },
        close: async () => {
          await sandbox.destroy();
          await echo.close();
          await close();
          await rm(dir, { recursive: true, force: true });
        },
      };
    },
  });
}
