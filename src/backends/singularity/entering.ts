// Starts a process in a running instance, and says how it ended. Its streams are those of `apptainer exec` here; what the
// program itself says before enter.sh has answered is nobody's output.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HermesError } from '../../base/errors.ts';
import type { DriverContext, OutputListener, ProcessExit, SandboxProcess, SandboxRef } from '../backend.ts';
import { type Child, startChild } from '../child-process.ts';
import { execArguments } from './arguments.ts';
import { gone } from './faults.ts';
import { PARTS, type Running } from './folder.ts';
import { isAlive, killProcess, processInside } from './host-process.ts';
import { complaintIn, endGroup, type Program, programEnvironment } from './program.ts';

const ANSWER_MS = 30_000;
const NOISE_BYTES = 4_000;
/** What Apptainer itself exits with when it fails; a program may do the same. */
const FAILED = 255;

export interface Entrance {
  readonly program: Program;
  readonly context: Pick<DriverContext, 'environment' | 'clock'>;
  readonly folder: string;
  readonly ref: SandboxRef;
  /** Who the sandbox is on this machine. */
  readonly uid: number;
  readonly workdir: string;
  readonly running: Running;
  readonly processes: number | undefined;
}

/** Throws SANDBOX_PROGRAM_MISSING, SANDBOX_CWD_MISSING, SANDBOX_SPAWN_FAILED or SANDBOX_GONE. */
export async function enter(
  entrance: Entrance,
  argv: readonly [string, ...string[]],
  signal?: AbortSignal,
): Promise<SandboxProcess> {
  const { program, context, folder, ref, workdir, running, processes } = entrance;
  signal?.throwIfAborted();
  const nonce = randomBytes(16).toString('hex');
  const script = readFileSync(new URL('./enter.sh', import.meta.url), 'utf8');
  const most = running.countsProcesses ? processes : undefined;
  const args = execArguments({ name: ref.name, workdir, script, nonce, processes: most }, argv);
  const env = programEnvironment(context.environment, {
    path: program.path,
    configDir: join(folder, PARTS.engine),
  });
  const child = await startChild({ argv: [program.file, ...args], cwd: '/', env });
  const greeting = new Greeting(nonce, child);
  const stop = (): void => {
    endGroup(child.pid);
    child.kill();
  };
  const timer = context.clock.after(ANSWER_MS, stop, { keepAlive: true });
  signal?.addEventListener('abort', stop, { once: true });
  const words = await Promise.race([greeting.answer, child.exit.then(() => '')]);
  timer.cancel();
  signal?.removeEventListener('abort', stop);
  const [word, pid] = words.split(' ');
  if (word === 'ready' && !signal?.aborted) return processOf(child, greeting, entrance, Number(pid));
  stop();
  await child.exit;
  signal?.throwIfAborted();
  throw refusal(word ?? '', entrance, argv[0], greeting.noise);
}

function processOf(
  child: Child,
  greeting: Greeting,
  { running, uid }: Entrance,
  pid: number,
): SandboxProcess {
  const exit = child.exit.then((own): ProcessExit => {
    const isCertain = 'code' in own && own.code !== FAILED;
    return isCertain || isAlive(running.first) ? own : { lost: 'the processes of its instance have ended' };
  });
  return {
    exit,
    write: data => child.write(data),
    end: () => child.end(),
    onOutput: listener => greeting.listen(listener),
    kill() {
      // First inside: without its client the process would live on.
      const inside = processInside(running.first, pid);
      if (inside) killProcess(inside, uid);
      child.kill();
    },
  };
}

/** Finds the answer on standard error, and keeps what comes after it until somebody listens. */
class Greeting {
  readonly answer: Promise<string>;
  /** What was said before it. */
  noise = '';
  readonly #kept: Parameters<OutputListener>[] = [];
  #listener: OutputListener = (stream, data) => void this.#kept.push([stream, data]);

  constructor(nonce: string, child: Child) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.answer = promise;
    let before: Buffer | undefined = Buffer.alloc(0);
    child.onOutput((stream, data) => {
      if (stream === 'stdout' || before === undefined) return this.#listener(stream, data);
      before = Buffer.concat([before, data]);
      const at = before.indexOf(`${nonce} `);
      const end = at < 0 ? -1 : before.indexOf('\n', at);
      if (end < 0) {
        this.noise = before.toString().slice(-NOISE_BYTES);
        return undefined;
      }
      resolve(before.toString('utf8', at + nonce.length + 1, end));
      const rest = before.subarray(end + 1);
      before = undefined;
      return rest.length > 0 ? this.#listener('stderr', rest) : undefined;
    });
  }

  listen(listener: OutputListener): void {
    this.#listener = listener;
    for (const [stream, data] of this.#kept.splice(0)) void listener(stream, data);
  }
}

function refusal(
  word: string,
  { ref, workdir, running }: Entrance,
  program: string,
  noise: string,
): HermesError {
  const details = { ref, program, workdir };
  if (!isAlive(running.first)) return gone(ref);
  if (word === 'missing') {
    const message = `${program} could not be started in ${ref.name}: there is no such program in its image. Use an image that has it.`;
    return new HermesError('SANDBOX_PROGRAM_MISSING', message, { details });
  }
  if (word === 'nocwd') {
    const message = `The folder ${workdir} is not in ${ref.name}, or cannot be entered; nothing was started. Make it, or change terminal.cwd.`;
    return new HermesError('SANDBOX_CWD_MISSING', message, { details });
  }
  const said = word === 'refused' ? 'the limit of processes could not be set' : complaintIn(noise);
  const message = `${program} could not be started in ${ref.name}: ${said}. End some of its processes if many run there, or destroy it.`;
  return new HermesError('SANDBOX_SPAWN_FAILED', message, { details });
}
