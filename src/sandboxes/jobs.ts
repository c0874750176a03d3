// Background processes of a sandbox. A job lives in a folder of the channel, so that it can be found, read and ended
// after a restart of the gateway; of what a command left behind a note lies beside it.
import { HermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { shellQuote } from '../base/shell-quote.ts';
import { type BackgroundProcess, type ProcessState, parseState } from './background-process.ts';
import type { Channel, RunOptions } from './channel/channel.ts';
import { Remnants } from './remnants.ts';
import type { ExecResult } from './result.ts';

export interface JobsOptions {
  readonly channel: Channel;
  /** In the sandbox. */
  readonly folder: string;
  /** The text of job.sh. */
  readonly script: string;
}

export interface JobStart {
  /** Absolute. */
  readonly cwd: string;
  /** For sudo, before the command begins. */
  readonly password?: string;
  /** `own`: its streams are a terminal. Throws USAGE_BAD_ARGUMENTS where none can be had. Absent = pipes. */
  readonly terminal?: 'own' | 'none';
}

const TIMEOUT_MS = 30_000;
const KEEP_BYTES = 1024 * 1024;
const NO_SUCH_JOB = 90;
const HAS_ENDED = 91;
const NO_TERMINAL = 92;
/** How the program is called that gives terminals. */
const FIND_TERMINAL = `terminal=linux
[[ $OSTYPE != darwin* && $OSTYPE != *bsd* ]] || terminal=bsd
type -P script >/dev/null || exit ${NO_TERMINAL}`;
/** Of what is listed; no system takes a longer one. */
const LONGEST_COMMAND = 131_072;
const KILLED = 'signaled 9';

export class Jobs {
  readonly #channel: Channel;
  readonly #folder: string;
  readonly #script: string;
  readonly #remnants: Remnants;
  #known: Promise<unknown> | undefined;

  constructor({ channel, folder, script }: JobsOptions) {
    this.#channel = channel;
    this.#folder = folder;
    this.#script = script;
    this.#remnants = new Remnants(channel, `${folder}-left`);
  }

  async start(command: string, { cwd, password, terminal = 'none' }: JobStart): Promise<BackgroundProcess> {
    if (command.includes('\0'))
      throw new HermesError('USAGE_BAD_ARGUMENTS', 'A command cannot contain a NUL byte.');
    const id = newId();
    const job = shellQuote(`${this.#folder}/${id}`);
    await this.#run(
      id,
      `terminal=-
${terminal === 'own' ? FIND_TERMINAL : ''}
mkdir -p ${job} && cat >${job}/command || exit
# Without job control it would ignore Ctrl-C, and so would all that it starts.
[[ $terminal == - ]] || set -m
bash --norc --noprofile -c ${shellQuote(this.#script)} hermes-job ${job} ${id} ${shellQuote(cwd)} ${password === undefined ? '-' : 'sudo'} "$terminal" </dev/null >/dev/null 2>&1 &
# Its folder is complete when the pid stands in it.
supervisor=$!
set +m
exec 10<&-
until [[ -s ${job}/pid ]]; do
  kill -0 "$supervisor" 2>/dev/null || [[ -s ${job}/pid ]] || exit 1
  read -r -t 0.01 <> <(:)
done
:`,
      {
        ...{ stdin: Buffer.from(command), cwd, tag: id },
        ...(password === undefined ? {} : { password: { use: 'hand', value: password } }),
      },
    );
    return this.#job(id, command);
  }

  /** Of what a command left behind; what went wrong with that, in words. */
  writeDown(remnantId: string | undefined): Promise<readonly string[]> {
    return remnantId === undefined ? Promise.resolve([]) : this.#remnants.writeDown(remnantId);
  }

  async find(id: string): Promise<BackgroundProcess> {
    await this.#knowOthers();
    const remnant = await this.#remnants.find(id);
    if (remnant) return remnant;
    return this.#job(id, (await this.#inJob(id, 'cat command')).stdout);
  }

  async list(): Promise<readonly BackgroundProcess[]> {
    const script = `cd ${shellQuote(this.#folder)} 2>/dev/null || exit 0
for job in *; do
  # Whoever is in the sandbox can put anything here; a pipe would be waited for.
  [[ $job =~ ^[A-Za-z0-9_]+$ && -f $job/command ]] || continue
  printf '%s\\0' "$job"; head -c ${LONGEST_COMMAND} "$job/command" | tr -d '\\0'; printf '\\0'
done
:`;
    const { stdout } = await this.#run('', script);
    const fields = stdout.split('\0').slice(0, -1);
    const jobs = fields.flatMap((id, at) => (at % 2 === 0 ? [this.#job(id, fields[at + 1] ?? '')] : []));
    this.#channel.knowJobs(jobs.map(({ id }) => id));
    return [...jobs, ...(await this.#remnants.list())];
  }

  /**
   * Jobs of an earlier gateway are not taken for kin of what is killed. Once for a connection, and not when something is killed:
   * then there may be no room for another process.
   */
  #knowOthers(): Promise<unknown> {
    this.#known ??= this.list().catch(error => {
      this.#known = undefined;
      throw error;
    });
    return this.#known;
  }

  #job(id: string, command: string): BackgroundProcess {
    const state = async (): Promise<ProcessState> => {
      // Without a record of its end and without its shell, it was killed as a whole.
      const script = `if [[ -e ended ]]; then cat ended; elif kill -0 "$(<pid)" 2>/dev/null; then echo running; else echo ${KILLED}; fi`;
      return parseState((await this.#inJob(id, script)).stdout.trim());
    };
    return {
      id,
      command,
      poll: state,
      wait: async ({ signal } = {}) => {
        await this.#inJob(id, 'exec 8<>alive 7<alive 8>&-; read -r -u 7; :', {
          ...(signal ? { signal } : {}),
          timeoutMs: Number.POSITIVE_INFINITY,
        });
        signal?.throwIfAborted();
        return state();
      },
      log: async () => {
        const script =
          'turn=$(cat turn 2>/dev/null || echo 0); cat "log.$((1 - turn))" "log.$turn" 2>/dev/null; :';
        return (await this.#inJob(id, script)).stdoutBytes;
      },
      write: async data => {
        // Opened for reading first: a pipe that nobody reads any more would be waited at. `dd`, because some kinds of
        // `cat` look for a reader once more after the last byte.
        const script = `[[ -e ended ]] && exit ${HAS_ENDED}
exec 4<>input && exec 5>input 4<&- && exec dd bs=65536 >&5 2>/dev/null`;
        await this.#inJob(id, script, { stdin: Buffer.from(data) });
      },
      kill: async () => {
        await this.#channel.kill(id);
        // Asked afterwards: before, there may be no room for another process.
        const script = `[[ -e ended ]] && echo before || echo ${KILLED} >ended`;
        return (await this.#inJob(id, script)).stdout === '';
      },
    };
  }

  #inJob(id: string, script: string, options: Partial<RunOptions> = {}): Promise<ExecResult> {
    if (!/^\w+$/.test(id)) throw unknown(id);
    return this.#run(
      id,
      `cd ${shellQuote(`${this.#folder}/${id}`)} 2>/dev/null || exit ${NO_SUCH_JOB}\n${script}`,
      options,
    );
  }

  async #run(id: string, script: string, options: Partial<RunOptions> = {}): Promise<ExecResult> {
    const result = await this.#channel.run(script, {
      mode: 'once',
      keepBytes: KEEP_BYTES,
      timeoutMs: TIMEOUT_MS,
      ...options,
    });
    if (result.exitCode === NO_TERMINAL) throw noTerminal();
    if (result.exitCode === NO_SUCH_JOB) throw unknown(id);
    if (result.exitCode === HAS_ENDED || result.signal === 'SIGPIPE') {
      throw new HermesError(
        'SANDBOX_PROCESS_UNKNOWN',
        `The background process ${id} has ended and takes no input.`,
      );
    }
    if (result.outcome === 'sandbox-lost')
      throw new HermesError('SANDBOX_GONE', 'The sandbox of the process is gone.');
    if (result.outcome === 'exited' && result.exitCode === 0) return result;
    if (result.outcome === 'canceled') return result;
    throw new HermesError(
      'SANDBOX_FILE_REFUSED',
      `The background process ${id} could not be reached: ${result.stderr || result.outcome}`,
    );
  }
}

function noTerminal(): HermesError {
  const message =
    'No program can be given a terminal in this sandbox: `script` of util-linux is missing there (Debian: package bsdutils). Nothing was run. Install it, or run the command without pty.';
  return new HermesError('USAGE_BAD_ARGUMENTS', message, { details: { program: 'script' } });
}

function unknown(id: string): HermesError {
  return new HermesError('SANDBOX_PROCESS_UNKNOWN', `There is no background process ${id} in this sandbox.`, {
    details: { id },
  });
}
