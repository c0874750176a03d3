// A gateway that is killed while a command runs in a sandbox of its own; started by life.test.ts, which passes settings
// and environment as one argument of JSON.
import { tmpdir } from 'node:os';
import { createBackend } from '../../../src/backends/singularity/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { SandboxHandle } from '../../../src/index.ts';
import { newSpec } from './ground.ts';

export interface KilledGateway {
  readonly settings: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly home: string;
  readonly id: string;
  readonly marker: string;
}

const { settings, environment, home, id, marker } = JSON.parse(process.argv[2] ?? '') as KilledGateway; // written by the test
const backend = createBackend(await loadHermesConfig(settings), {
  ...{ environment, cwd: '/', tmpDir: tmpdir(), home, clock: systemClock },
  variable: () => undefined,
  progress: () => undefined,
});
const sandbox = await backend.create(newSpec({ id }));
const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
await handle.start(`sleep ${marker}`);
await handle.exec('echo up; exec sleep 30', { onOutput: () => void process.kill(process.pid, 'SIGKILL') });
