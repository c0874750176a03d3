// The ground of the daytona column at Daytona itself, used by runs that ask for it: `HERMES_TEST_LIVE=daytona`, with a key in
// the environment. It costs money.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Configuration, SandboxApi } from '@daytona/api-client';
import { ProcessApi, Configuration as ToolboxConfiguration } from '@daytona/toolbox-api-client';
import { createBackend } from '../../../src/backends/daytona/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { shellQuote } from '../../../src/base/shell-quote.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { Backend } from '../../../src/index.ts';
import { liveCredentials } from '../../services/live.ts';
import type { Ground } from '../column.ts';

/** Throws `NotAvailable` where the run did not ask for it, or the key is missing. */
export async function openLiveGround(): Promise<Ground> {
  const { DAYTONA_API_KEY: key } = liveCredentials('daytona', ['DAYTONA_API_KEY']);
  const home = await mkdtemp(join(tmpdir(), 'daytona-live-'));
  const plantedSecret = randomBytes(16).toString('hex');
  const make = (image: string): Promise<Backend> => backendFor({ home, key, image, plantedSecret });
  const [backend, withoutBash] = [await make('debian:bookworm-slim'), await make('alpine:3')];
  return {
    ...{ backend, withoutBash, plantedSecret },
    spec: async () => ({ limits: { cpus: 1, memoryMiB: 1024, diskMiB: 3072 }, idleSeconds: 300 }),
    processes: text => processesOf(key, text),
    removeFromOutside: async ref => void (await apiOf(key).deleteSandbox(ref.name)),
    unprivileged: 'commands are root in a sandbox made of such an image',
    close: () => rm(home, { recursive: true }),
  };
}

interface Wanted {
  readonly home: string;
  readonly key: string;
  readonly image: string;
  readonly plantedSecret: string;
}

async function backendFor({ home, key, image, plantedSecret }: Wanted): Promise<Backend> {
  const { DAYTONA_API_URL, DAYTONA_TARGET } = readEnvironment();
  const config = await loadHermesConfig({
    ...{ HOME: home, HERMES_HOME: home, TERMINAL_DAYTONA_IMAGE: image, DAYTONA_API_KEY: key },
    ...{ DAYTONA_API_URL, DAYTONA_TARGET },
  });
  return createBackend(config, {
    ...{ environment: { PLANTED: plantedSecret }, cwd: home, tmpDir: tmpdir(), home, clock: systemClock },
    variable: () => undefined,
    progress: () => undefined,
  });
}

function optionsOf(key: string, basePath: string) {
  return { basePath, baseOptions: { headers: { Authorization: `Bearer ${key}` } } };
}

function apiOf(key: string): SandboxApi {
  const address = readEnvironment()['DAYTONA_API_URL'] ?? 'https://app.daytona.io/api';
  return new SandboxApi(new Configuration(optionsOf(key, address)));
}

/** Looks into every sandbox of the suite, by a process of the service's own. */
async function processesOf(key: string, text: string): Promise<readonly number[]> {
  const { data } = await apiOf(key).listSandboxes();
  const found: number[] = [];
  for (const { id, name, state, toolboxProxyUrl } of data.items) {
    if (state !== 'started' || !name.startsWith('hermes-c')) continue;
    const toolbox = new ProcessApi(new ToolboxConfiguration(optionsOf(key, `${toolboxProxyUrl}/${id}`)));
    // Without the looking processes themselves, which have the text in two parts.
    const script = `t=${text.slice(0, 4)}; grep -alF -e "$t"${shellQuote(text.slice(4))} /proc/[0-9]*/cmdline | tr -cd "0-9\\n"`;
    const { data: looked } = await toolbox.executeCommand({ command: `sh -c ${shellQuote(script)}` });
    found.push(...looked.result.split('\n').filter(Boolean).map(Number));
  }
  return found;
}
