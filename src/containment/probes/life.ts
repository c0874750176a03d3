// Can a daemon outlive the command, or the sandbox, that started it?
import { isHermesError, systemErrorCode } from '../../base/errors.ts';
import { processesWith, waitFor } from '../host-processes.ts';
import { newMarker } from '../marker.ts';
import { always, isContaining } from '../policy.ts';
import {
  contained,
  exposed,
  type Finding,
  type Ground,
  type Place,
  type Policy,
  type Probe,
  unknown,
  type Verdict,
} from '../probe.ts';

const START_MS = 10_000;
const END_MS = 3_000;
const TIMEOUT_MS = 2_500;

interface Daemon {
  readonly command: (marker: string) => string;
  /** How many it has when all of it runs. While it is still on its way it can be told by its parents. */
  readonly processes: number;
}

/** In a session of its own, and nobody's child any more. */
const daemon: Daemon = {
  command: marker => `( setsid sleep ${marker} & ); sleep ${marker}`,
  processes: 2,
};

/** The same, and without the environment that it could be told by; the command itself ends. */
const hiddenDaemon: Daemon = {
  command: marker =>
    `( env -i "$(command -v setsid)" "$(command -v sleep)" ${marker} </dev/null >/dev/null 2>&1 & )`,
  processes: 1,
};

/** The same twice, with a session and a parent that are gone, and the command goes on. */
const strays: Daemon = {
  command:
    marker => `hide() { env -i "$(command -v bash)" -c '("$@" &)' bash "$(command -v setsid)" "$(command -v sleep)" ${marker} </dev/null >/dev/null 2>&1; }
hide; hide; sleep ${marker}`,
  processes: 3,
};

/** Starts a daemon, ends what it came from, and looks for it. */
async function judgeSurvival(
  { clock }: Ground,
  { command, processes }: Daemon,
  { start, end }: { start: (command: string) => Promise<unknown>; end: () => Promise<unknown> },
): Promise<Finding> {
  const marker = newMarker();
  const started = start(command(marker));
  const pids = await waitFor(clock, START_MS, async () => {
    const found = await processesWith(`sleep\0${marker}`);
    return found.length >= processes ? found : undefined;
  });
  await end();
  await started;
  if (pids === undefined) return unknown('its processes cannot be seen from this machine');
  const gone = await waitFor(clock, END_MS, async () =>
    (await processesWith(`sleep\0${marker}`)).length === 0 ? true : undefined,
  );
  if (gone) return contained('the daemon is gone');
  for (const pid of await processesWith(`sleep\0${marker}`)) endProcess(pid);
  return exposed('the daemon still ran, and was ended now');
}

/** It is the probe's own. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH' && systemErrorCode(error) !== 'EPERM') throw error;
  }
}

function afterTimeout(ground: Ground, hidden: Daemon): Promise<Finding> {
  return judgeSurvival(ground, hidden, {
    start: command => ground.place.exec(command, { timeoutMs: TIMEOUT_MS }),
    end: async () => undefined,
  });
}

function afterCancel(ground: Ground, hidden: Daemon): Promise<Finding> {
  const abort = new AbortController();
  return judgeSurvival(ground, hidden, {
    start: command => ground.place.exec(command, { signal: abort.signal, timeoutMs: START_MS * 2 }),
    end: async () => abort.abort(),
  });
}

/** What has hidden in every way is found where the sandbox has process ids of its own. */
function byOwnProcesses({ ownProcesses }: Policy): Verdict {
  return ownProcesses ? 'contained' : 'not contained';
}

async function afterDestroy(ground: Ground): Promise<Finding> {
  const place: Place = await ground.open();
  return judgeSurvival(ground, hiddenDaemon, {
    start: command => place.exec(command, { timeoutMs: START_MS }),
    end: () => destroyed(place),
  });
}

async function destroyed(place: Place): Promise<void> {
  try {
    await place.destroy();
  } catch (error) {
    if (!isHermesError(error, 'SANDBOX_GONE')) throw error;
  }
}

export const lifeProbes: readonly Probe[] = [
  {
    id: 'life.timeout',
    family: 'life',
    title: 'outlive a time-out as a daemon',
    expected: always('contained'),
    attempt: ground => afterTimeout(ground, daemon),
  },
  {
    id: 'life.cancel',
    family: 'life',
    title: 'outlive a cancel as a daemon',
    expected: always('contained'),
    attempt: ground => afterCancel(ground, daemon),
  },
  {
    id: 'life.stray-timeout',
    family: 'life',
    title: 'outlive a time-out without session, parent and environment',
    expected: byOwnProcesses,
    attempt: ground => afterTimeout(ground, strays),
  },
  {
    id: 'life.stray-cancel',
    family: 'life',
    title: 'outlive a cancel in the same way',
    expected: byOwnProcesses,
    attempt: ground => afterCancel(ground, strays),
  },
  {
    id: 'life.destroy',
    family: 'life',
    title: 'outlive the sandbox as a hidden daemon',
    expected: policy => (policy.ownProcesses || isContaining(policy) ? 'contained' : 'not contained'),
    attempt: afterDestroy,
  },
];
