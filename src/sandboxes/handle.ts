// What everybody uses: a sandbox with commands, background processes and files, whatever backend it stands on.
import { resolve } from 'node:path/posix';
import type { Enforcement, Sandbox, SandboxRef } from '../backends/backend.ts';
import type { Clock } from '../base/clock.ts';
import { HermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { BackgroundProcess } from './background-process.ts';
import { Channel } from './channel/channel.ts';
import { readShellScripts, type ShellScripts } from './channel/shell-scripts.ts';
import { type FileInfo, Files, type ListedFile } from './files.ts';
import { type JobStart, Jobs } from './jobs.ts';
import { changed, type ExecResult } from './result.ts';
import { openWire, type Wire, type WireOptions } from './wire.ts';

export interface StartOptions extends Pick<JobStart, 'terminal'> {
  /** Absolute, or relative to the sandbox's workdir. */
  readonly cwd?: string;
}

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly data: Uint8Array;
}

export interface ExecOptions {
  readonly timeoutMs?: number;
  /** Absolute, or relative to the sandbox's workdir. Missing = SANDBOX_CWD_MISSING, and nothing is run. */
  readonly cwd?: string;
  /** Its end is the end of the command's input; absent = empty input. */
  readonly stdin?: string | Uint8Array;
  /** Cancels: the call resolves with `canceled`. */
  readonly signal?: AbortSignal;
  /** Hears output as it arrives; where it returns a promise, no more comes until that has resolved. */
  readonly onOutput?: (chunk: OutputChunk) => unknown;
  /**
   * In the persistent shell, which keeps folder, variables, functions, aliases and options. With `stdin`, or when the
   * command uses sudo, it runs in a shell of its own with folder and exports of the persistent one.
   */
  readonly persistent?: boolean;
  /** How much of each stream is kept; the rest is counted. */
  readonly keepBytes?: number;
  /** `ended`: what is still running when the command has ended is killed, and listed in the result; absent = it goes on. */
  readonly leftBehind?: 'ended';
}

/**
 * Asked for each command that uses sudo; whoever gives it decides whether a person is asked, and keeps it. `wasRefused`: sudo did
 * not accept the last one.
 */
export type SudoSource = (last: {
  readonly wasRefused: boolean;
}) => string | undefined | Promise<string | undefined>;

export interface SandboxHandleOptions {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  /** For commands that give no limit of their own. */
  readonly timeoutMs?: number;
  /** Whose connection it is, such as `gateway-ID`; without dots. Absent = nobody's whom others know. */
  readonly owner?: string;
  /** What earlier connections have left running is ended, as after a crash: those of these owners, a pattern such as `gateway-*`. */
  readonly endEarlier?: string;
  /** The password that sudo is given before a command that uses it; undefined = there is none. */
  readonly sudoPassword?: SudoSource;
  /** Called once the sandbox is destroyed, for what was opened for its sake. */
  readonly onDestroyed?: () => Promise<void>;
}

/** More than any 10 MB of output; a gigabyte still costs only this. */
const KEEP_BYTES = 12 * 1024 * 1024;

/** Of sudo.sh; a command may end so too, which costs no more than being asked for the password again. */
const PASSWORD_REFUSED = 126;

export const ALONE =
  'It ran in a shell of its own, with folder and exports of the persistent one: it has input, or uses sudo.';

export class SandboxHandle implements AsyncDisposable {
  readonly workdir: string;
  /** How far each limit really holds. */
  readonly enforcement: Enforcement;
  readonly #sandbox: Sandbox;
  readonly #channel: Channel;
  readonly #files: Files;
  readonly #jobs: Jobs;
  readonly #clock: Clock;
  readonly #timeoutMs: number | undefined;
  readonly #sudoPassword: SudoSource;
  readonly #onDestroyed: (() => Promise<void>) | undefined;
  #cutOff = 0;
  #wasRefused = false;
  #destroyed: Promise<void> | undefined;

  private constructor(options: SandboxHandleOptions, scripts: ShellScripts) {
    const {
      sandbox,
      clock,
      timeoutMs,
      onDestroyed,
      owner = newId(),
      sudoPassword = () => undefined,
    } = options;
    this.workdir = sandbox.workdir;
    this.enforcement = sandbox.enforcement;
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#sudoPassword = sudoPassword;
    this.#onDestroyed = onDestroyed;
    this.#channel = new Channel({ sandbox, scripts, clock, owner });
    this.#files = new Files(this.#channel, path => this.#absolute(path));
    this.#jobs = new Jobs({
      channel: this.#channel,
      folder: `${sandbox.channelDir}/jobs`,
      script: scripts.job,
    });
  }

  /** As the driver has it now; its name may change when it is suspended. */
  get ref(): SandboxRef {
    return this.#sandbox.ref;
  }

  /** Takes over the sandbox and proves that commands can run in it; if not, the caller still has to destroy it. */
  static async open(options: SandboxHandleOptions): Promise<SandboxHandle> {
    const handle = new SandboxHandle(options, readShellScripts());
    await handle.#channel.open();
    if (options.endEarlier !== undefined) {
      handle.#cutOff = await handle.#channel.endEarlier(`${options.endEarlier}.*`);
    }
    return handle;
  }

  /** How many commands were cut off, because their gateway was gone or did not end them in time; each is told once. */
  takeCutOff(): number {
    const count = this.#cutOff;
    this.#cutOff = 0;
    return count;
  }

  /** Runs a command to its end. Rejects only when nothing was run; everything else is a result. */
  async exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
    const {
      persistent = false,
      stdin,
      cwd,
      onOutput,
      keepBytes = KEEP_BYTES,
      timeoutMs = this.#timeoutMs,
      ...rest
    } = options;
    const sudo = usesSudo(command);
    const alone = stdin !== undefined || sudo;
    const password = sudo ? await this.#givenPassword() : undefined;
    const result = await this.#channel.run(command, {
      ...rest,
      mode: !persistent ? 'once' : alone ? 'state' : 'keep',
      keepBytes,
      listed: true,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(cwd === undefined ? {} : { cwd: this.#absolute(cwd) }),
      ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
      ...(password === undefined ? {} : { password: { use: 'sudo', value: password } }),
      ...(onOutput ? { onOutput: (stream, data) => onOutput({ stream, data }) } : {}),
    });
    this.#wasRefused = password !== undefined && result.exitCode === PASSWORD_REFUSED;
    const notices = [
      ...result.notices,
      ...(persistent && alone ? [ALONE] : []),
      ...(await this.#jobs.writeDown(result.remnantId)),
    ];
    return changed(result, { notices });
  }

  /** Starts a command in the background; it goes on when nobody watches. */
  async start(command: string, options: StartOptions = {}): Promise<BackgroundProcess> {
    const password = usesSudo(command) ? await this.#givenPassword() : undefined;
    return this.#jobs.start(command, {
      cwd: this.#absolute(options.cwd ?? ''),
      ...(options.terminal === undefined ? {} : { terminal: options.terminal }),
      ...(password === undefined ? {} : { password }),
    });
  }

  /** A background process by its id, also after a restart. Throws SANDBOX_PROCESS_UNKNOWN. */
  process(id: string): Promise<BackgroundProcess> {
    return this.#jobs.find(id);
  }

  /** All background processes: those that were started as such, and those that commands left behind. */
  processes(): Promise<readonly BackgroundProcess[]> {
    return this.#jobs.list();
  }

  /** A line to a program in the sandbox, beside the program's own streams; ends with the sandbox at the latest. */
  openWire(options: WireOptions): Promise<Wire> {
    return openWire(this.#sandbox, this.#clock, options);
  }

  /** Throws SANDBOX_FILE_MISSING or SANDBOX_FILE_REFUSED, also when it has more bytes than `most`. */
  readFile(path: string, options: { readonly most?: number } = {}): Promise<Uint8Array> {
    return this.#files.read(path, options.most);
  }

  /** Makes missing folders; an existing file keeps its mode. Throws SANDBOX_FILE_REFUSED. */
  writeFile(path: string, bytes: string | Uint8Array): Promise<void> {
    return this.#files.write(path, Buffer.from(bytes));
  }

  listFiles(path = '.'): Promise<readonly ListedFile[]> {
    return this.#files.list(path);
  }

  stat(path: string): Promise<FileInfo> {
    return this.#files.stat(path);
  }

  /** Copies a file of this machine into the sandbox, as bytes. */
  upload(hostPath: string, path: string): Promise<void> {
    return this.#files.upload(hostPath, path);
  }

  /** Copies a file of the sandbox to this machine, as bytes; a file that is there is replaced. */
  download(path: string, hostPath: string): Promise<void> {
    return this.#files.download(path, hostPath);
  }

  /** Idempotent. Commands that are running end as `sandbox-lost`. */
  destroy(): Promise<void> {
    this.#destroyed ??= this.#end();
    return this.#destroyed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.destroy();
  }

  /** Ends its processes and keeps its files; this handle is of no use afterwards. Throws where the backend cannot. */
  async suspend(): Promise<void> {
    await this.#channel.close();
    if (!this.#sandbox.suspend) {
      throw new HermesError(
        'USAGE_BAD_ARGUMENTS',
        `The backend ${this.ref.backend} cannot suspend a sandbox.`,
      );
    }
    await this.#sandbox.suspend();
  }

  /** Lets go of the sandbox without ending it. */
  detach(): Promise<void> {
    return this.#channel.close();
  }

  async #givenPassword(): Promise<string | undefined> {
    return this.#sudoPassword({ wasRefused: this.#wasRefused });
  }

  async #end(): Promise<void> {
    await this.#channel.close();
    await this.#sandbox.destroy();
    await this.#onDestroyed?.();
  }

  #absolute(path: string): string {
    return resolve(this.workdir, path);
  }
}

/**
 * sudo may ask for a password, which a shell without input must never wait for. Where a command begins, and not in what
 * is only quoted.
 */
export function usesSudo(command: string): boolean {
  const unquoted = command.replace(/\\.|'[^']*'|"(?:\\.|[^"\\`$])*"/gs, 'q');
  return /(?:^|[;&|(`\n{!]|\b(?:then|do|else|time|exec|command|env|nohup)\b)\s*(?:\w+=\S*\s+)*sudo\s/.test(
    unquoted,
  );
}
