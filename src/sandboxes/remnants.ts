// Processes that a command left behind when it ended. Nobody is their parent any more, so they are found by number and
// start, and looked at when somebody asks. A note in the sandbox tells another gateway, or connection, of them.
import { asHermesError, HermesError } from '../base/errors.ts';
import { shellQuote } from '../base/shell-quote.ts';
import type { BackgroundProcess, ProcessState } from './background-process.ts';
import type { Channel, Remnant, RunOptions } from './channel/channel.ts';
import { parseNotes, WRITTEN_COMMAND } from './remnant-notes.ts';
import type { ExecResult } from './result.ts';

const TIMEOUT_MS = 30_000;
const KEEP_BYTES = 1024 * 1024;
const LOOK_MS = 2_000;

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
  /** Of the notes, in the sandbox. */
  readonly #folder: string;
  #restored: Promise<void> | undefined;
  readonly #unwritten = new Set<string>();
  #writing: Promise<readonly string[]> = Promise.resolve([]);
  #nextWriting: Promise<readonly string[]> | undefined;

  constructor(channel: Channel, folder: string) {
    this.#channel = channel;
    this.#folder = folder;
  }

  /** The command has ended, whatever comes of this: a failure is a notice. Many at once are written together. */
  writeDown(tag: string): Promise<readonly string[]> {
    this.#unwritten.add(tag);
    this.#nextWriting ??= this.#writing.then(() => {
      this.#nextWriting = undefined;
      this.#writing = this.#writeAll();
      return this.#writing;
    });
    return this.#nextWriting;
  }

  async #writeAll(): Promise<readonly string[]> {
    const folder = shellQuote(this.#folder);
    const lines = [...this.#unwritten].flatMap(tag => {
      const remnant = this.#channel.remnants.get(tag);
      if (!remnant) return [];
      const note = `${words(remnant.processes)}\n${remnant.command.slice(0, WRITTEN_COMMAND).toWellFormed()}`;
      return [`printf %s ${shellQuote(note)} >${folder}/${tag} || exit`];
    });
    this.#unwritten.clear();
    if (lines.length === 0) return [];
    try {
      const { exitCode, stderr, outcome } = await this.#run(
        `mkdir -p ${folder} || exit\n${lines.join('\n')}`,
      );
      return exitCode === 0 ? [] : [notKept(stderr.trim() || outcome)];
    } catch (error) {
      return [notKept(asHermesError(error).message)];
    }
  }

  async find(tag: string): Promise<BackgroundProcess | undefined> {
    if (!this.#channel.remnants.has(tag)) await this.#restore();
    const remnant = this.#channel.remnants.get(tag);
    return remnant && this.#process(remnant);
  }

  /** Those of which something is still running; the others are forgotten. */
  async list(): Promise<readonly BackgroundProcess[]> {
    await this.#restore();
    const remnants = [...this.#channel.remnants.values()];
    if (remnants.length === 0) return [];
    const folder = shellQuote(this.#folder);
    const lines = remnants.map(({ tag, processes }) => {
      return `if alive ${words(processes)}; then echo ${tag}; else rm -f ${folder}/${tag}; fi`;
    });
    const { stdout } = await this.#run(`${lines.join('\n')}\n:`);
    const alive = new Set(stdout.split('\n'));
    for (const { tag } of remnants) if (!alive.has(tag)) this.#channel.forget(tag);
    return remnants.filter(({ tag }) => alive.has(tag)).map(remnant => this.#process(remnant));
  }

  /** Once for a connection: what comes later it knows itself. */
  #restore(): Promise<void> {
    this.#restored ??= this.#readNotes().catch(error => {
      this.#restored = undefined;
      throw error;
    });
    return this.#restored;
  }

  async #readNotes(): Promise<void> {
    const script = `cd ${shellQuote(this.#folder)} 2>/dev/null || exit 0
for note in *; do
  # Whoever is in the sandbox can put anything here; a pipe would be waited for.
  [[ $note =~ ^[A-Za-z0-9_]+$ && -f $note ]] || continue
  printf '%s\\0' "$note"; head -c ${WRITTEN_COMMAND * 4} "$note" | tr -d '\\0'; printf '\\0'
done
:`;
    const { stdout } = await this.#run(script);
    for (const { tag, command, processes } of parseNotes(stdout)) {
      if (this.#channel.remnants.has(tag)) continue;
      this.#channel.keep({ tag, command, processes, log: { bytes: () => new Uint8Array() } });
    }
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
        await this.#run(untilEnded(processes, 0.2), {
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
      kill: async () => {
        // If nothing can be started to look, they count as running.
        const { exitCode } = await this.#run(`alive ${words(processes)}`, { timeoutMs: LOOK_MS });
        await this.#channel.kill(tag, processes);
        // The kernel takes a moment; whoever looks next must not find them.
        await this.#run(untilEnded(processes, 0.02), { timeoutMs: LOOK_MS });
        return exitCode !== 1;
      },
    };
  }

  async #run(script: string, options: Partial<RunOptions> = {}): Promise<ExecResult> {
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

function notKept(why: string): string {
  return `What it left running will not be found again after a restart of the gateway: ${why}`;
}

/** Without a process for every look. */
function untilEnded(processes: Remnant['processes'], everySeconds: number): string {
  return `exec 9<> <(:)\nwhile alive ${words(processes)}; do
  read -r -t ${everySeconds} -u 9 || (($? > 128)) || sleep 0.2
done`;
}

function words(processes: Remnant['processes']): string {
  return processes.map(({ pid, startedAt }) => `${pid}:${startedAt}`).join(' ');
}
