// The ground of the modal column at Modal itself, used by runs that ask for it: `HERMES_TEST_LIVE=modal`, with a token in the
// environment. It costs money.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModalClient, type Sandbox } from 'modal';
import { createBackend } from '../../../src/backends/modal/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import type { Backend } from '../../../src/index.ts';
import { liveCredentials } from '../../services/live.ts';
import type { Ground } from '../column.ts';

/** Throws `NotAvailable` where the run did not ask for it, or the token is missing. */
export async function openLiveGround(): Promise<Ground> {
  const token = liveCredentials('modal', ['MODAL_TOKEN_ID', 'MODAL_TOKEN_SECRET']);
  const home = await mkdtemp(join(tmpdir(), 'modal-live-'));
  const plantedSecret = randomBytes(16).toString('hex');
  // An app of its own, so that whatever is in it was made here.
  const app = `hermes-test-${newId()}`;
  const make = (image: string): Promise<Backend> => backendFor({ home, app, image, plantedSecret, token });
  const [backend, withoutBash] = [await make('debian:bookworm-slim'), await make('alpine:3')];
  return {
    ...{ backend, withoutBash, plantedSecret },
    spec: async () => ({ limits: { cpus: 0.25, memoryMiB: 512 }, idleSeconds: 300 }),
    processes: text => processesOf(app, text),
    removeFromOutside: async ref => {
      const client = new ModalClient();
      await (await client.sandboxes.fromName(app, ref.name)).terminate({ wait: true });
    },
    unprivileged: 'commands are root in a sandbox of Modal',
    async close() {
      await Promise.all([backend.close(), withoutBash.close()]);
      await rm(home, { recursive: true });
    },
  };
}

interface Wanted {
  readonly home: string;
  readonly app: string;
  readonly image: string;
  readonly plantedSecret: string;
  /** As variables of the environment. */
  readonly token: Readonly<Record<string, string>>;
}

async function backendFor({ home, app, image, plantedSecret, token }: Wanted): Promise<Backend> {
  const config = await loadHermesConfig({
    ...{ HOME: home, HERMES_HOME: home, TERMINAL_MODAL_IMAGE: image, TERMINAL_MODAL_APP: app },
    ...token,
  });
  return createBackend(config, {
    ...{ environment: { PLANTED: plantedSecret }, cwd: home, tmpDir: tmpdir(), home, clock: systemClock },
    variable: () => undefined,
    progress: () => undefined,
  });
}

/** Looks into every sandbox of the app, by a process of the service's own. */
async function processesOf(app: string, text: string): Promise<readonly number[]> {
  const client = new ModalClient();
  const { appId } = await client.apps.fromName(app);
  const found: number[] = [];
  for await (const sandbox of client.sandboxes.list({ appId })) found.push(...(await within(sandbox, text)));
  return found;
}

/** Without the looking process itself, whose text is in its input. */
const LOOK = 'read -r text; grep -alF -e "$text" /proc/[0-9]*/cmdline 2>/dev/null | tr -cd "0-9\\n"';

async function within(sandbox: Sandbox, text: string): Promise<number[]> {
  const looking = await sandbox.exec(['/bin/sh', '-c', LOOK]);
  await looking.stdin.writeText(`${text}\n`);
  return (await looking.stdout.readText()).split('\n').filter(Boolean).map(Number);
}
