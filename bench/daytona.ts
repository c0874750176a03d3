// How long commands take on the daytona backend, with 30 ms each way to a protocol double of the cloud, beside a bare round trip
// over a way as long. Needs bubblewrap, in which the double runs the commands.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import { startDaytona } from '../test/doubles/daytona-server.ts';
import { startEcho } from '../test/doubles/modal-relay.ts';
import type { Bench } from './bench.ts';

const LATENCY_MS = 30;
const roundTrip = 'one round trip';
/** What is promised on top of it. */
const limit = { extraMs: 15 };

export const daytona: Bench = {
  doc: `The daytona backend, ${LATENCY_MS} ms each way to a protocol double`,
  rounds: 20,
  warmUp: 2,
  async open() {
    const dir = await mkdtemp(join(tmpdir(), 'hermes-bench-'));
    const double = await startDaytona();
    const environment = {
      ...{ HOME: dir, HERMES_HOME: dir, DAYTONA_API_KEY: double.key, DAYTONA_API_URL: double.apiUrl },
    };
    const config = await loadHermesConfig(environment);
    const sandbox = await openSandboxWith(config, environment, { backend: 'daytona' });
    double.setLatency(LATENCY_MS);
    const echo = await startEcho(LATENCY_MS);
    return {
      cases: [
        { name: roundTrip, run: echo.ask },
        {
          name: 'persistent',
          run: () => sandbox.exec('echo hi', { persistent: true }),
          against: roundTrip,
          limit,
        },
        { name: 'one-shot', run: () => sandbox.exec('echo hi'), against: roundTrip, limit },
      ],
      close: async () => {
        await sandbox.destroy();
        await echo.close();
        await double.close();
        await rm(dir, { recursive: true, force: true });
      },
    };
  },
};
