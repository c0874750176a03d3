// One container as a Sandbox.

import type { Abortable } from '../../base/abortable.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import type { Enforcement, Sandbox, SandboxProcess, SandboxRef } from '../backend.ts';
import { type Container, containerAnswer } from './answers.ts';
import { LABEL } from './container-body.ts';
import { type Engine, EngineFault, EngineUnreachable, isFault } from './engine.ts';
import { NotStarted, startExec } from './exec-process.ts';
import { facts } from './facts.ts';
import { failure, gone, unreachable } from './faults.ts';
import { CHANNEL_FOLDER } from './plan.ts';

export interface SandboxParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ref: SandboxRef;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly enforcement: Enforcement;
}

/** Nothing in it needs longer: the init passes the signal on to a `sleep`. */
const STOP_SECONDS = 2;

export function dockerSandbox(parts: SandboxParts): Sandbox {
  const { engine, ref, workdir, env, enforcement } = parts;
  return {
    ref,
    workdir,
    env,
    enforcement,
    ownProcesses: facts.capabilities.ownProcesses,
    channelDir: `${CHANNEL_FOLDER}/channel`,
    spawn: (argv, options = {}) => spawn(parts, argv, options),
    suspend: ({ signal } = {}) =>
      change(parts, { method: 'POST', path: `/containers/${ref.name}/stop?t=${STOP_SECONDS}`, signal }),
    resume: ({ signal } = {}) =>
      change(parts, { method: 'POST', path: `/containers/${ref.name}/start`, signal }),
    destroy: ({ signal } = {}) => removeContainer(engine, ref.name, signal),
  };
}

async function spawn(
  parts: SandboxParts,
  argv: readonly [string, ...string[]],
  { signal }: Abortable,
): Promise<SandboxProcess> {
  const { engine, clock, ref, workdir } = parts;
  try {
    return await startExec({ engine, clock, container: ref.name, argv, workdir, signal });
  } catch (error) {
    if (isFault(error, 404)) throw gone(ref, undefined, error);
    if (error instanceof EngineUnreachable) throw unreachable(error);
    if (error instanceof NotStarted) throw await notStarted(parts, { error, program: argv[0] });
    if (error instanceof EngineFault) throw await refused(engine, ref, error);
    throw error;
  }
}

/** The container takes no processes. By the status of the answer alone, engines do not tell one that has stopped from others. */
async function refused(engine: Engine, ref: SandboxRef, cause: EngineFault): Promise<Error> {
  const state = await stateOf(engine, ref.name);
  if (state === undefined) return gone(ref, undefined, cause);
  if (state.Running && cause.status !== 409) {
    const message = `No process can be started in ${ref.name}: ${cause.message}.`;
    return failure('SANDBOX_SPAWN_FAILED', message, ref, cause);
  }
  const hint =
    state.ExitCode === 126 || state.ExitCode === 127
      ? ': its image lacks `sleep`, or is for another processor'
      : '';
  return gone(ref, `is ${state.Status ?? 'not running'} (exit code ${state.ExitCode}${hint})`, cause);
}

/** The engine answers a program that is missing, a full process limit and a dying container alike: by an exec that ended. */
async function notStarted(
  parts: SandboxParts,
  { error, program }: { error: NotStarted; program: string },
): Promise<Error> {
  const { ref } = parts;
  const isMissing =
    error.exitCode === 127 || /executable file not found|no such file or directory/i.test(error.message);
  const state = isMissing ? await stateOf(parts.engine, ref.name) : await lastState(parts);
  if (!state?.Running) return gone(ref, state ? 'has stopped' : undefined, error);
  if (isMissing) {
    return failure('SANDBOX_PROGRAM_MISSING', `There is no program ${program} in ${ref.name}.`, ref, error);
  }
  const message = `${program} could not be started in ${ref.name}, perhaps because its process limit is used up. The engine says: ${error.message}`;
  return failure('SANDBOX_SPAWN_FAILED', message, ref, error);
}

/** A container that is being ended counts as running for a moment. */
async function lastState({ engine, clock, ref }: SandboxParts) {
  for (let round = 0; ; round++) {
    const state = await stateOf(engine, ref.name);
    if (!state?.Running || round === 5) return state;
    await sleep(clock, 40);
  }
}

/** Undefined when there is no such container. */
export async function stateOf(
  engine: Engine,
  name: string,
  signal?: AbortSignal,
): Promise<Container['State'] | undefined> {
  return (await inspect(engine, name, signal))?.State;
}

/** Undefined when there is no such container. */
async function inspect(engine: Engine, name: string, signal?: AbortSignal): Promise<Container | undefined> {
  try {
    const path = `/containers/${name}/json`;
    return containerAnswer.parse(await engine.json({ method: 'GET', path, signal }));
  } catch (error) {
    if (isFault(error, 404)) return undefined;
    if (error instanceof EngineUnreachable) throw unreachable(error);
    throw error;
  }
}

async function change(
  { engine, ref }: SandboxParts,
  call: { method: 'POST'; path: string; signal: AbortSignal | undefined },
): Promise<void> {
  try {
    await engine.json(call);
  } catch (error) {
    if (isFault(error, 404)) throw gone(ref, undefined, error);
    if (error instanceof EngineUnreachable) throw unreachable(error);
    // One whose mount has gone, or which is being removed.
    if (error instanceof EngineFault) throw gone(ref, `is of no use any more: ${error.message}`, error);
    throw error;
  }
}

/** A container that we made, or half made, and nobody else's that has its name. */
export async function removeOwn(
  engine: Engine,
  { name, id, installation }: Pick<SandboxRef, 'name' | 'id' | 'installation'>,
  signal?: AbortSignal,
): Promise<void> {
  const found = await inspect(engine, name, signal);
  const labels = found?.Config.Labels ?? {};
  const isOurs = labels[LABEL.sandbox] === id && labels[LABEL.installation] === installation;
  if (isOurs) await removeContainer(engine, name, signal);
}

/** With its anonymous volumes. What is gone, or being removed by somebody else, is waited for. */
export async function removeContainer(engine: Engine, name: string, signal?: AbortSignal): Promise<void> {
  try {
    await engine.json({ method: 'DELETE', path: `/containers/${name}?force=true&v=true`, signal });
  } catch (error) {
    if (error instanceof EngineUnreachable) throw unreachable(error);
    if (isFault(error, 404)) return;
    if (!isFault(error, 409)) throw error;
    await waitUntilRemoved(engine, name, signal);
  }
}

/** Two who remove the same container: the second hears of a conflict, and waits for the first to be through. */
async function waitUntilRemoved(engine: Engine, name: string, signal?: AbortSignal): Promise<void> {
  try {
    await engine.json({ method: 'POST', path: `/containers/${name}/wait?condition=removed`, signal });
  } catch (error) {
    if (!isFault(error, 404)) throw error;
  }
}
