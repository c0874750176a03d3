// The sandboxes of a gateway that serves: one gateway for an installation, its start checked, its leftovers swept.
import { sleep } from '../base/clock.ts';
import { asHermesError, HermesError } from '../base/errors.ts';
import { type Hold, holdAlone } from '../store/sole-holder.ts';
import { configuredBackends } from './configured-backends.ts';
import { gatewayLock } from './gateway-lock.ts';
import { SessionSandboxes } from './session-sandboxes.ts';
import { prepareStart, type Start } from './start.ts';
import { Sweeper, type SweepReport } from './sweeper.ts';
import type { SandboxWorld } from './world.ts';

export interface Serving {
  readonly sandboxes: SessionSandboxes;
  readonly sweeper: Sweeper;
  readonly start: Start;
  /** What the first sweep found. */
  readonly swept: SweepReport;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly home: string;
  /** Of this process, for whoever is refused because of it. */
  readonly pid: number;
  /** Of this machine. */
  readonly memoryBytes: number;
  readonly signal?: AbortSignal;
}

/** What a sandbox is reckoned with when nobody says how many there may be. */
const USUAL_BYTES = 256 * 1024 * 1024;

const LOOK_MS = 50;
const LONGEST_LOOK_MS = 1500;

/** Throws UNAVAILABLE_GATEWAY when another one serves this home, and what `prepareStart` throws. */
export async function serveSandboxes(world: SandboxWorld, options: ServeOptions): Promise<Serving> {
  const { store, config, log } = world;
  const hold = await holdSoon(world, gatewayLock(options.home));
  if (!hold) throw await alreadyServed(world, options.home);
  try {
    await store.installation.recordGateway(options.pid);
    const start = await prepareStart(world, options.signal);
    for (const text of start.warnings) log.warn(text);
    for (const text of start.notes) log.info(text);
    const sandboxes = new SessionSandboxes(world, {
      most: config.get('gateway.max_sandboxes') ?? mostFor(options.memoryBytes),
      warm: config.get('gateway.warm_sandboxes'),
    });
    const sweeper = new Sweeper(world, sandboxes);
    const swept = await sweeper.start(await configuredBackends(world));
    return {
      ...{ sandboxes, sweeper, start, swept },
      async close() {
        await sweeper.stop();
        await sandboxes.close();
        await forget(world, options.pid, hold);
      },
    };
  } catch (error) {
    // What kept it from starting may be the store itself.
    store.failFast();
    await forget(world, options.pid, hold);
    throw error;
  }
}

/** Who served is for people to read; only the hold counts, so that a store that fails keeps nothing from ending. */
async function forget({ store, log }: SandboxWorld, pid: number, hold: Hold): Promise<void> {
  try {
    await store.installation.forgetGateway(pid);
  } catch (error) {
    log.warn({ error: asHermesError(error).message }, 'the gateway is still recorded as serving');
  } finally {
    hold.release();
  }
}

/** A command that looks whether a gateway runs has the lock for a moment. */
async function holdSoon({ clock }: SandboxWorld, path: string): Promise<Hold | undefined> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const hold = holdAlone(path);
    if (hold || waited >= LONGEST_LOOK_MS) return hold;
    await sleep(clock, LOOK_MS);
  }
}

/** As many as fit into half of the memory, and at least two. */
export function mostFor(memoryBytes: number): number {
  return Math.max(2, Math.floor(memoryBytes / 2 / USUAL_BYTES));
}

async function alreadyServed({ store }: SandboxWorld, home: string): Promise<HermesError> {
  const { gateway } = await store.installation.read();
  const who = gateway
    ? `process ${gateway.pid}, since ${new Date(gateway.startedAt).toISOString()}`
    : 'another process';
  const message = `A gateway serves ${home} already: ${who}. Stop it first, or give this one a HERMES_HOME of its own.`;
  return new HermesError('UNAVAILABLE_GATEWAY', message, { details: { home, gateway } });
}
