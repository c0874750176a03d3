// The way to the machine: connects when first needed and again when a connection was lost, runs short errands there,
// and starts processes.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abortable } from '../../base/abortable.ts';
import type { Clock } from '../../base/clock.ts';
import { systemErrorCode } from '../../base/errors.ts';
import { ensurePrivateDir } from '../../base/private-files.ts';
import type { DriverContext } from '../backend.ts';
import { CONNECT_SECONDS, fileList, masterArguments, resolveArguments, type Target } from './arguments.ts';
import { type Destination, parseDestination } from './destination.ts';
import { connectFailure, failureError, noSsh, type Place, timedOut } from './failure.ts';
import { type Master, masterAt } from './master.ts';
import { Masters } from './masters.ts';
import type { RemoteScript } from './remote-command.ts';
import { type Finished, runProgram, succeeded } from './run-program.ts';
import { type OpenOptions, openSession, type Session, type SessionOptions, SSH_FAILED } from './session.ts';
import { makeSocketDir, removeSocketDir, staleSocketDirs } from './socket-dir.ts';

/** What a remote script has said: the words of its answer, and the fields that followed, each ended by NUL. */
export interface Report {
  readonly words: string;
  readonly fields: readonly string[];
  readonly text: string;
}

/** What ssh itself needs of the environment. Nothing else, because a configuration may say to send it on (SendEnv). */
const NAMES = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'SSH_AUTH_SOCK',
  'KRB5CCNAME',
];

const RESOLVE_MS = 10_000;
/** Jump hosts each have their own time for connecting. */
const CONNECT_MS = CONNECT_SECONDS * 1000 * 3;

export class Link {
  readonly target: Target;
  readonly #context: DriverContext;
  readonly #env: Readonly<Record<string, string>>;
  readonly #sessions: SessionOptions;
  readonly #masters: Masters;
  #destination: Destination | undefined;
  #socketDir: Promise<string> | undefined;
  #count = 0;

  constructor(target: Target, context: DriverContext) {
    this.target = target;
    this.#context = context;
    this.#env = Object.fromEntries(
      NAMES.flatMap(name => {
        const value = context.environment[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    this.#masters = new Masters(() => this.#connect());
    this.#sessions = {
      masters: this.#masters,
      env: this.#env,
      clock: context.clock,
      address: () => this.address,
    };
  }

  get clock(): Clock {
    return this.#context.clock;
  }

  /** Whether anything can have reached the machine. */
  get isConnected(): boolean {
    return this.#masters.size > 0;
  }

  /** Who and where, for messages. */
  get address(): string {
    return this.#destination?.address ?? this.target.host;
  }

  /** Runs a script to its end. All of them may be repeated. Throws UNAVAILABLE_BACKEND. */
  async errand(remote: RemoteScript, { signal }: Abortable = {}): Promise<Report> {
    for (let attempt = 1; ; attempt++) {
      const chunks: Uint8Array[] = [];
      const session = await this.open(remote, {
        use: 'errand',
        onOutput: (stream, data) => {
          if (stream === 'stdout') chunks.push(data);
          return undefined;
        },
        ...(signal ? { signal } : {}),
      });
      const { words, slot } = session;
      session.child.end();
      const exit = await session.exit;
      slot.release();
      const text = Buffer.concat(chunks).toString();
      if ('code' in exit && exit.code !== SSH_FAILED)
        return { words, text, fields: text.split('\0').slice(0, -1) };
      if (!(await slot.master.isAlive())) slot.drop();
      if (attempt === 3) throw failureError(connectFailure('', this.#place()));
    }
  }

  /** Starts a script and resolves with its answer. Throws UNAVAILABLE_BACKEND. */
  open(remote: RemoteScript, options: OpenOptions): Promise<Session> {
    return openSession(remote, options, this.#sessions);
  }

  /** Ends the connections that were made here. */
  async close(): Promise<void> {
    await this.#masters.close();
    const [dir] = await Promise.allSettled([this.#socketDir]);
    this.#socketDir = undefined;
    if (dir.status === 'fulfilled' && dir.value !== undefined) await removeSocketDir(dir.value);
  }

  async #connect(): Promise<Master> {
    this.#destination ??= await this.#resolve();
    const { knownHosts, strict, address } = this.#destination;
    this.#socketDir ??= this.#prepare();
    const socket = join(await this.#socketDir, `m${++this.#count}`);
    const files = fileList(this.#knownHostsFile, knownHosts);
    this.#context.progress(`Connecting to ${address}`);
    const made = await this.#run(
      masterArguments(this.target, { socket, knownHosts: files, strict }),
      CONNECT_MS,
    );
    if (made.timedOut) throw failureError(timedOut(address), made.stderr);
    if (!succeeded(made)) throw failureError(connectFailure(made.stderr, this.#place()), made.stderr);
    return masterAt(socket, { env: this.#env, clock: this.#context.clock });
  }

  async #resolve(): Promise<Destination> {
    const printed = await this.#run(resolveArguments(this.target), RESOLVE_MS);
    if (!succeeded(printed))
      throw failureError(connectFailure(printed.stderr, this.#place()), printed.stderr);
    return parseDestination(printed.stdout, this.target);
  }

  /** The folder for sockets; connections of a gateway that was killed are ended first. */
  async #prepare(): Promise<string> {
    await ensurePrivateDir(join(this.#context.home, 'ssh'));
    for (const dir of await staleSocketDirs(this.#context)) {
      const options = { env: this.#env, clock: this.#context.clock };
      for (const name of await readdir(dir)) await masterAt(join(dir, name), options).end();
      await removeSocketDir(dir);
    }
    return makeSocketDir(this.#context);
  }

  async #run(argv: readonly [string, ...string[]], timeoutMs: number): Promise<Finished> {
    try {
      return await runProgram(argv, { env: this.#env, clock: this.#context.clock, timeoutMs });
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') throw failureError(noSsh, error);
      throw error;
    }
  }

  get #knownHostsFile(): string {
    return join(this.#context.home, 'ssh', 'known_hosts');
  }

  #place(): Place {
    return { host: this.target.host, address: this.address, knownHostsFile: this.#knownHostsFile };
  }
}
