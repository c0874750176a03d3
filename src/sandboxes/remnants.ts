// Processes that a command left behind when it ended. Nobody is their parent any more, so they are found by number and
// start, and looked at when somebody asks.
import { HermesError } from '../base/errors.ts';
import type { BackgroundProcess, ProcessState } from './background-process.ts';
import type { Channel, Remnant } from './channel/channel.ts';
import type { ExecResult } from './result.ts';

const TIMEOUT_MS = 30_000;
const KEEP_BYTES = 64 * 1024;

/** `alive PID:START …`: whether any of the processes is there and still the same. */
const ALIVE = `alive() {
  local one pid line
  for one in "$@"; do
    pid=\${one%%:*} line=
    kill -0 "$pid" 2>/dev/null || continue
    ((\${one#*:})) || return 0
    read -r -d '' line 2>/dev/null <"/proc/$pid/stat"
    [[ \${line##*) } =~ ^[^ZX]\\ ([^\\ ]+\\ ){18}([0-9]+)\\  && \${BASH_REMATCH[2]} == \${one#*:} ]] && return 0
  done
  return 1
}`;

export class Remnants {
  readonly #channel: Channel;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  find(tag: string): BackgroundProcess | undefined {
    const remnant = this.#channel.remnants.get(tag);
    return remnant && this.#process(remnant);
  }

  /** Those of which something is still running; the others are forgotten. */
  async list(): Promise<readonly BackgroundProcess[]> {
    const remnants = [...this.#channel.remnants.values()];
    if (remnants.length === 0) return [];
    const lines = remnants.map(({ tag, processes }) => `alive ${words(processes)} && echo ${tag}`);
    const { stdout } = await this.#run(`${lines.join('\n')}\n:`);
    const alive = new Set(stdout.split('\n'));
    for (const { tag } of remnants) if (!alive.has(tag)) this.#channel.forget(tag);
    return remnants.filter(({ tag }) => alive.has(tag)).map(remnant => this.#process(remnant));
  }

  #process({ tag, command, processes, log }: Remnant): BackgroundProcess {
    const poll = async (): Promise<ProcessState> => {
      const { exitCode } = await this.#run(`alive ${words(processes)}`);
      return { state: exitCode === 0 ? 'running' : 'ended' };
    };
    return {
      id: tag,
      command,
      poll,
      // They are nobody's children, so their end can only be looked for.
      wait: async ({ signal } = {}) => {
        await this.#run(`while alive ${words(processes)}; do sleep 0.2; done`, {
          timeoutMs: Number.POSITIVE_INFINITY,
          ...(signal ? { signal } : {}),
        });
        signal?.throwIfAborted();
        return poll();
      },
      log: async () => log.bytes(),
      write: async () => {
        throw new HermesError(
          'SANDBOX_PROCESS_UNKNOWN',
          `${tag} was left behind by a command and has no input.`,
        );
      },
      kill: () => this.#channel.kill(tag, processes),
    };
  }

  async #run(
    script: string,
    options: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<ExecResult> {
    const result = await this.#channel.run(`${ALIVE}\n${script}`, {
      mode: 'once',
      keepBytes: KEEP_BYTES,
      timeoutMs: TIMEOUT_MS,
      ...options,
    });
    if (result.outcome !== 'sandbox-lost') return result;
    throw new HermesError('SANDBOX_GONE', 'The sandbox of the process is gone.');
  }
}

function words(processes: Remnant['processes']): string {
  return processes.map(({ pid, startedAt }) => `${pid}:${startedAt}`).join(' ');
}
