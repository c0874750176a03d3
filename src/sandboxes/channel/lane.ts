// The gateway's end of a lane: one bash in the sandbox, one command at a time, told apart by end marks.
import { randomBytes } from 'node:crypto';
import type { OutputListener, Sandbox, SandboxProcess } from '../../backends/backend.ts';
import type { Clock } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type LaneEnd, type LeftBehind, parseEnd } from './lane-end.ts';
import { MARK_START, MarkScanner } from './mark-scanner.ts';
import { OutputBuffer } from './output-buffer.ts';
import { BOOTSTRAP, exportsOf, type ShellScripts } from './shell-scripts.ts';

/** `once`: a bash of its own. `state`: likewise, with folder and exports of the persistent shell. `keep`: in that shell. */
export type RunMode = 'once' | 'state' | 'keep';

export interface LaneRequest {
  /** Random; finds the command's processes. */
  readonly tag: string;
  readonly mode: RunMode;
  readonly script: string;
  /** Absolute; empty = where the lane, or the persistent shell, is. */
  readonly cwd: string;
  readonly stdin?: Uint8Array;
  /** What the sandbox itself ends it after, in case the gateway cannot. */
  readonly limitSeconds?: number;
  /** Whether anybody is told when it is cut off. Absent = it is a command of the channel's own. */
  readonly isTold?: boolean;
  readonly password?: SudoPassword;
}

/** `sudo`: given to sudo before the command begins. `hand`: for a script of ours, on descriptor 10. */
export interface SudoPassword {
  readonly use: 'sudo' | 'hand';
  readonly value: string;
}

/** A command whose processes are to be ended. */
export interface Ending {
  readonly tag: string;
  readonly mode: RunMode;
  /** The process id of the lane that runs it; absent = none does any more. */
  readonly lane?: number;
  /**
   * When it began, `TICK:PID`: what has come since, has lost its parent and is nobody else's goes too, where the sandbox has process
   * ids of its own. `-:0`: since its oldest process. Absent = as far as the sandbox can tell.
   */
  readonly began?: string;
  /** Known to be left behind by other commands. */
  readonly others?: readonly LeftBehind[];
  /** What carries one of these tags is another command's; of `olderJobs` only while the job lives. */
  readonly otherTags?: readonly string[];
  readonly olderJobs?: readonly string[];
}

export type Killed = 'signaled' | 'unbegun';

export interface LaneOptions {
  readonly sandbox: Sandbox;
  readonly scripts: ShellScripts;
  readonly clock: Clock;
  /** Also the name of its folder below the channel's. */
  readonly name: string;
  /** Of all lanes that one connection of a gateway has opened: `OWNER.ID`. */
  readonly connection: string;
}

/** A lane that has not said hello by then never will. */
const HELLO_MS = 30_000;

/** `starting` → `idle` ⇄ `busy` → (`held` while something that a command left behind still has its output) → `closed`. */
export type LaneState = 'starting' | 'idle' | 'busy' | 'held' | 'closed';

/** What a process left behind may still write is kept up to this. */
const LOG_BYTES = 200 * 1024;

export class Lane {
  readonly name: string;
  /** Resolves when the lane is gone. */
  readonly closed: Promise<void>;
  /** Its own process, as the sandbox numbers it; undefined where it does not tell. */
  root: LeftBehind | undefined;
  readonly #process: SandboxProcess;
  #state: LaneState = 'starting';
  #scanners: Record<'stdout' | 'stderr', MarkScanner> | undefined;
  #onLost: (reason: string) => void = () => {};
  #onIdle: () => void = () => {};
  #log = new OutputBuffer(LOG_BYTES);
  /** What the listener of the output last answered: when it wants more. */
  #taken: unknown;

  private constructor(process: SandboxProcess, name: string) {
    this.#process = process;
    this.name = name;
    process.onOutput((stream, data) => this.#receive(stream, data));
    this.closed = process.exit.then(exit => {
      this.#state = 'closed';
      this.#onLost('lost' in exit ? exit.lost : 'its shell ended');
      this.#onIdle();
    });
  }

  /** Starts a lane and waits for its hello. Throws SANDBOX_NO_BASH, or what `spawn` throws. */
  static async open({ sandbox, scripts, clock, name, connection }: LaneOptions): Promise<Lane> {
    const nonce = newNonce();
    const parts = [scripts.lane, scripts.persistent, exportsOf(sandbox.env)];
    const lengths = parts.map(part => String(Buffer.byteLength(part)));
    const folders = [`${sandbox.channelDir}/${name}`, sandbox.channelDir];
    const owns = sandbox.ownProcesses ? 'own' : '-';
    const argv = [
      'bash',
      '--norc',
      '--noprofile',
      '-c',
      BOOTSTRAP,
      'hermes-lane',
      ...lengths,
      nonce,
      ...folders,
      owns,
      connection,
    ] as const;
    const lane = new Lane(await spawnBash(sandbox, argv), name);
    const tooLate = clock.after(HELLO_MS, () => lane.close(), { keepAlive: true });
    const words = await lane.#ask(nonce, parts.join(''));
    tooLate.cancel();
    if (!words.startsWith('hello ')) {
      lane.close();
      throw noBash(sandbox, words);
    }
    lane.#state = 'idle';
    const [pid, startedAt] = words.split(' ').slice(-2).map(Number);
    if (pid) lane.root = { pid, startedAt: startedAt || 0, name };
    return lane;
  }

  get state(): LaneState {
    return this.#state;
  }

  /** What came after the last command's end from processes that it left behind. */
  get log(): OutputBuffer {
    return this.#log;
  }

  /** `onIdle` is called when the lane can take another command, or is gone, which may be long after the result. */
  run(request: LaneRequest, onOutput: OutputListener, onIdle: () => void): Promise<LaneEnd> {
    const nonce = newNonce();
    this.#state = 'busy';
    this.#log = new OutputBuffer(LOG_BYTES);
    this.#onIdle = onIdle;
    return new Promise(resolve => {
      let end: LaneEnd | undefined;
      /** Nothing else holds the lane's output: it can take another command at once. */
      let isFree = false;
      let isOver = false;
      const marked = new Set<string>();
      const settle = (lost?: LaneEnd): void => {
        if (lost === undefined && marked.size < 2) return;
        isOver = true;
        this.#onLost = () => {};
        if (isFree) this.#becomeIdle();
        else if (this.#state === 'busy') this.#state = 'held';
        resolve(lost ?? end ?? { kind: 'lost', reason: 'its shell told no result' });
      };
      const listen = (stream: 'stdout' | 'stderr') => ({
        data: (bytes: Uint8Array) => {
          if (marked.has(stream)) this.#log.push(bytes);
          else this.#taken = onOutput(stream, bytes);
        },
        mark: (words: string) => {
          if (words === 'ready') {
            isFree = true;
            // The streams come independently: the end of the other one may still be on its way here.
            if (isOver) this.#becomeIdle();
            return;
          }
          if (stream === 'stdout') {
            end = parseEnd(words);
            isFree = words.endsWith(' ready');
          }
          marked.add(stream);
          settle();
        },
      });
      this.#onLost = reason => settle({ kind: 'lost', reason });
      this.#scanners = {
        stdout: new MarkScanner(nonce, listen('stdout')),
        stderr: new MarkScanner(nonce, listen('stderr')),
      };
      void this.#send(request, nonce);
    });
  }

  /**
   * Ends the processes of a command that runs, or ran, in another lane. Resolves when they have been sent the signal; `unbegun`: it
   * had not begun, and will not.
   */
  async kill({ tag, mode, lane = 0, began = '0:0', others = [], ...ending }: Ending): Promise<Killed> {
    const { otherTags = [], olderJobs = [] } = ending;
    const theirs = [...otherTags.map(each => `${each}:now`), ...olderJobs.map(each => `${each}:job`)];
    const tags = theirs.join(',') || '-';
    const line = `kill ${tag} ${mode} ${lane}:${began} ${listOf(others)} ${tags}\n`;
    return (await this.#command(tag, line)) === 'killed unbegun' ? 'unbegun' : 'signaled';
  }

  /** Ends what the connections that fit the pattern have started, or whose lane is gone: how many commands were cut off. */
  async endEarlier(owners: string): Promise<number> {
    const tag = newId();
    const [word, count] = (await this.#command(tag, `sweep ${tag} ${owners}\n`)).split(' ');
    return word === 'swept' ? Number(count) : 0;
  }

  /** Ends these processes, as far as they are still the same. */
  async killProcesses(tag: string, processes: readonly LeftBehind[]): Promise<void> {
    await this.#command(tag, `kill ${tag} pids ${listOf(processes)} - -\n`);
  }

  async #command(tag: string, line: string): Promise<string> {
    this.#state = 'busy';
    const words = await this.#ask(`${MARK_START}${tag}`, line);
    if (this.#state === 'busy') this.#state = 'idle';
    return words;
  }

  /** An idle lane ends by itself and takes its folder along; any other is ended. */
  close(): void {
    this.#process.end();
    if (this.#state !== 'idle') this.#process.kill();
    this.#state = 'closed';
  }

  /** Closes it. A command that runs in it is lost at once: what its shell says from now on may be the closing's own doing. */
  abandon(): void {
    this.#onLost('the connection to its shell was closed');
    this.close();
  }

  async #send({ tag, mode, script, cwd, stdin, ...request }: LaneRequest, nonce: string): Promise<void> {
    const scriptBytes = Buffer.from(script, 'utf8');
    const cwdBytes = Buffer.from(cwd, 'utf8');
    const { limitSeconds = 0, isTold, password } = request;
    const secretBytes = Buffer.from(password?.value ?? '', 'utf8');
    const secret = password ? `${password.use}:${secretBytes.length}` : '-';
    const lengths = `${scriptBytes.length} ${cwdBytes.length} ${stdin?.length ?? '-'}`;
    const header = `run ${tag} ${mode} ${lengths} ${limitSeconds} ${isTold ? 'told' : 'own'} ${secret}\n`;
    const pieces = [Buffer.from(header), scriptBytes, cwdBytes, secretBytes];
    // In one piece, unless the input is too large to be copied.
    if (stdin) {
      await this.#process.write(Buffer.concat(pieces.splice(0)));
      await this.#process.write(stdin);
    }
    await this.#process.write(Buffer.concat([...pieces, Buffer.from(`${nonce}\n`)]));
  }

  /** Sends text and waits for the one mark that answers it; '' if the lane ends first. */
  #ask(nonce: string, text: string): Promise<string> {
    return new Promise(resolve => {
      const listener = { data: () => {}, mark: resolve };
      this.#onLost = () => resolve('');
      this.#scanners = { stdout: new MarkScanner(nonce, listener), stderr: new MarkScanner(nonce, listener) };
      void this.#process.write(Buffer.from(text));
    });
  }

  #receive(stream: 'stdout' | 'stderr', data: Uint8Array): unknown {
    this.#taken = undefined;
    if (this.#scanners?.[stream].push(data) === 'bad') {
      // Whoever forges marks only loses the shell that they are forged in.
      this.close();
    }
    return this.#taken;
  }

  #becomeIdle(): void {
    if (this.#state === 'closed') return;
    this.#state = 'idle';
    this.#onIdle();
  }
}

function listOf(processes: readonly LeftBehind[]): string {
  return processes.map(({ pid, startedAt }) => `${pid}:${startedAt}`).join(',') || '-';
}

function newNonce(): string {
  return MARK_START + randomBytes(16).toString('hex');
}

async function spawnBash(sandbox: Sandbox, argv: readonly [string, ...string[]]): Promise<SandboxProcess> {
  try {
    return await sandbox.spawn(argv);
  } catch (error) {
    if (error instanceof HermesError && error.code === 'SANDBOX_PROGRAM_MISSING')
      throw noBash(sandbox, '', error);
    throw error;
  }
}

function noBash(sandbox: Sandbox, words: string, cause?: unknown): HermesError {
  const [word, detail] = words.split(' ');
  const reason =
    word === 'old'
      ? `its bash is ${detail}, and 4.4 is needed`
      : word === 'refused'
        ? `${detail} cannot be made there (mkdir, mkfifo, or no room)`
        : 'bash does not start there';
  const message = `No command can run in ${sandbox.ref.name}: ${reason}. Use an image with bash and the usual POSIX tools.`;
  return new HermesError('SANDBOX_NO_BASH', message, { details: { ref: sandbox.ref }, cause });
}
