// One life of a sandbox's instance: started with as many limits as the host allows, found on the host, ended there.
import { release } from 'node:os';
import { join } from 'node:path';
import { type Clock, sleep } from '../../base/clock.ts';
import type { DriverContext } from '../backend.ts';
import { removeLinkFree } from '../link-free.ts';
import { startArguments } from './arguments.ts';
import { notCreated, unavailable } from './faults.ts';
import { freshen, type Label, PARTS, type Running, writeRunning } from './folder.ts';
import {
  type FoundInstance,
  findInstance,
  hasEnded,
  isOfUser,
  killProcess,
  processesNamed,
} from './host-process.ts';
import { controllersOf, countsApart, type LimitName, plannedAttempts } from './limits.ts';
import {
  complaintIn,
  type Finished,
  type Program,
  programEnvironment,
  runProgram,
  succeeded,
} from './program.ts';
import { adviceFor, lookAround } from './reasons.ts';

const START_MS = 60_000;
/** The monitor unmounts what the instance had after the end of its first process. */
const TIDY_MS = 5_000;
const LATE_MS = 100;

/** What is known of the host from earlier starts. */
export interface Experience {
  /** The limits to try, one list after the other; undefined = nothing was tried. */
  attempts?: readonly (readonly LimitName[])[];
  /** Whether the last instance had its filter; undefined = none was started. */
  isFiltered?: boolean;
}

export interface StartParts {
  readonly program: Program;
  readonly context: Pick<DriverContext, 'environment' | 'clock'>;
  readonly folder: string;
  readonly label: Label;
  readonly hasFilter: boolean;
  readonly experience: Experience;
  readonly signal?: AbortSignal;
}

/** Resolves when processes can be started in it. Throws UNAVAILABLE_BACKEND; then nothing of it runs. */
export async function startInstance(parts: StartParts): Promise<Running> {
  const { folder, label, experience, context } = parts;
  try {
    await freshen(folder, label);
    const held = await tryLimits(parts);
    const found = findInstance(label.ref.name);
    if (!found)
      throw notCreated(
        `${label.ref.name} ended as soon as it was started`,
        'Look at what its image starts by itself',
      );
    if (found.uid === 0) throw await refusedRoot(found, parts);
    experience.isFiltered = found.isFiltered;
    const { monitor, first, hasOwnUsers } = found;
    const isLeft = label.limits.processes !== undefined && !held.includes('processes');
    const running = {
      monitor,
      first,
      held,
      countsProcesses: isLeft && hasOwnUsers && countsApart(release()),
    };
    await writeRunning(folder, label, running);
    return running;
  } catch (error) {
    await endInstance(label, undefined, context.clock);
    throw error;
  }
}

/** The limits that hold. Only a start tells whether the host allows them; what was refused once is not tried again. */
async function tryLimits(parts: StartParts): Promise<readonly LimitName[]> {
  const { label, experience } = parts;
  const attempts = experience.attempts ?? plannedAttempts(controllersOf(label.uid));
  let failed: Finished | undefined;
  for (const [at, tried] of attempts.entries()) {
    const done = await startOnce(parts, tried);
    if (succeeded(done)) {
      experience.attempts = attempts.slice(at);
      return tried.filter(name => label.limits[name] !== undefined);
    }
    failed = done;
    if (done.timedOut) break;
  }
  throw startFailed(parts, failed);
}

function startOnce(
  { program, context, folder, label, hasFilter, signal }: StartParts,
  tried: readonly LimitName[],
): Promise<Finished> {
  const args = startArguments({ folder, label, tried, isFiltered: hasFilter });
  return runProgram([program.file, ...args], {
    env: programEnvironment(context.environment, {
      path: program.path,
      configDir: join(folder, PARTS.engine),
    }),
    clock: context.clock,
    timeoutMs: START_MS,
    ...(signal ? { signal } : {}),
  });
}

function startFailed({ program, label }: StartParts, failed: Finished | undefined) {
  if (!failed || failed.timedOut)
    return unavailable(
      `${program.name} did not start an instance within ${START_MS / 1000} s`,
      `Run \`${program.name} instance start ${label.image} try\` by hand and see what it waits for`,
    );
  const { reason, fix } = adviceFor(lookAround(label), complaintIn(failed.said));
  return unavailable(reason, fix);
}

/** Behind a user namespace root is still root. What root has made in a folder of somebody else's, that user could not remove. */
async function refusedRoot(found: FoundInstance, { folder, context }: StartParts): Promise<Error> {
  await endFound(found, found.uid, context.clock);
  removeLinkFree(join(folder, PARTS.engine));
  return unavailable('the instance is root on this machine', 'Start Hermes as an ordinary user');
}

/**
 * Resolves when none of its processes lives. With the first process the kernel ends all others inside; the monitor then
 * clears its mounts away. Without `running` they are looked for by name, twice: a start that was cut short may be late.
 */
export async function endInstance(
  { ref: { name }, uid }: Pick<Label, 'ref' | 'uid'>,
  running: Running | undefined,
  clock: Clock,
): Promise<void> {
  if (running) await endFound(running, uid, clock);
  const found = findInstance(name);
  if (found) await endFound(found, uid, clock);
  for (const pauseMs of running ? [0] : [0, LATE_MS]) {
    if (pauseMs > 0) await sleep(clock, pauseMs);
    const left = processesNamed(name).filter(each => isOfUser(each, uid));
    for (const each of left) killProcess(each, uid);
    for (const each of left) await hasEnded(each, clock, TIDY_MS);
  }
}

async function endFound(
  { monitor, first }: Pick<Running, 'monitor' | 'first'>,
  uid: number,
  clock: Clock,
): Promise<void> {
  if (isOfUser(first, uid)) {
    killProcess(first, uid);
    await hasEnded(first, clock, TIDY_MS);
  }
  if (!isOfUser(monitor, uid) || (await hasEnded(monitor, clock, TIDY_MS))) return;
  killProcess(monitor, uid);
  await hasEnded(monitor, clock, TIDY_MS);
}
