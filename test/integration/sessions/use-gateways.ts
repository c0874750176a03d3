// Gateways for the tests of one file: each is closed with all that it made when its test is over.
import { afterEach } from 'vitest';
import type { Backend, Sandbox } from '../../../src/backends/backend.ts';
import { SessionSandboxes } from '../../../src/sessions/session-sandboxes.ts';
import { Sweeper } from '../../../src/sessions/sweeper.ts';
import { type Gateway, type GatewayOptions, newHome, openGateway } from './world.ts';

export const HOUR = 3_600_000;
/** Part of a command: it goes on when the file is there. */
export const untilFile = (path: string): string => `until [ -e ${path} ]; do sleep 0.02; done`;
export const request = { purpose: 'run', actor: 'test:1' };

export interface Gateways {
  started(options?: Partial<GatewayOptions>): Promise<Gateway>;
  /** What it made stays, as after a crash; another one starts on the same home. */
  restarted(gateway: Gateway, options?: Partial<GatewayOptions>): Promise<Gateway>;
  /** The same gateway over its real driver, some of whose steps go as an engine in trouble makes them go. */
  troubled(
    gateway: Gateway,
    trouble: Trouble,
    warm?: number,
  ): Pick<Gateway, 'world' | 'sandboxes' | 'sweeper'>;
}

/** Each is given the real step. */
export interface Trouble {
  readonly create?: (real: Backend['create']) => Backend['create'];
  readonly attach?: (real: Backend['attach']) => Backend['attach'];
  readonly list?: (real: Backend['list']) => Backend['list'];
  readonly destroy?: (real: NonNullable<Backend['destroy']>) => NonNullable<Backend['destroy']>;
}

export function useGateways(): Gateways {
  const open: Gateway[] = [];
  const extra: SessionSandboxes[] = [];
  afterEach(async () => {
    for (const sandboxes of extra.splice(0)) await sandboxes.close();
    for (const gateway of open.splice(0)) await gateway.close();
  });
  const started: Gateways['started'] = async (options = {}) => {
    const environment = { TERMINAL_ENV: 'bubblewrap', ...options.environment };
    const home = options.home ?? (await newHome());
    const gateway = await openGateway({ ...options, home, environment });
    open.push(gateway);
    return gateway;
  };
  return {
    started,
    async restarted(gateway, options = {}) {
      const { home } = gateway;
      open.splice(open.indexOf(gateway), 1);
      await gateway.drop();
      return started({ home, ...options });
    },
    troubled(gateway, trouble, warm = 0) {
      const backend = async (name: string) => troubledBackend(await gateway.world.backend(name), trouble);
      const world = { ...gateway.world, backend };
      const sandboxes = new SessionSandboxes(world, { most: 10, warm });
      extra.push(sandboxes);
      return { world, sandboxes, sweeper: new Sweeper(world, sandboxes) };
    },
  };
}

function troubledBackend(real: Backend, { create, attach, list, destroy }: Trouble): Backend {
  const end: NonNullable<Backend['destroy']> = async ref =>
    real.destroy ? real.destroy(ref) : (await real.attach(ref)).destroy();
  return {
    ...real,
    ...(create ? { create: create(real.create) } : {}),
    ...(attach ? { attach: attach(real.attach) } : {}),
    ...(list ? { list: list(real.list) } : {}),
    ...(destroy ? { destroy: destroy(end) } : {}),
  };
}

export async function once(
  { sandboxes, session }: Pick<Gateway, 'sandboxes' | 'session'>,
  chat: string,
  command: string,
) {
  await using lease = await sandboxes.lease(await session(chat), request);
  return { ...(await lease.exec(command)), id: lease.sandboxId };
}

/** Removes all of them behind the gateway's back. */
export async function removeOutside({ backend, world }: Gateway): Promise<void> {
  for await (const ref of backend.list(world.installation)) {
    await (backend.destroy?.(ref) ?? (await backend.attach(ref)).destroy());
  }
}

export async function stateOf({ world }: Pick<Gateway, 'world'>, id: string): Promise<string | undefined> {
  return (await world.store.ledger.find(id))?.state;
}

/** The same sandbox with one thing about it changed. */
export function changed(sandbox: Sandbox, change: Partial<Sandbox>): Sandbox {
  return { ...sandbox, ...change };
}
