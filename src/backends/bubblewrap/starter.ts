// The gateway's end of the starter, the one process through which all others in a sandbox begin. What comes from it
// is bounded and parsed strictly: code in the sandbox can write there too, and then only loses its own sandbox.
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { type Clock, sleep } from '../../base/clock.ts';
import { HermesError } from '../../base/errors.ts';
import type { ProcessExit, SandboxProcess } from '../backend.ts';
import { openPipes, type Pipes, pipedProcess } from './process.ts';

/** How long the starter may take to kill: it cannot while it tries to fork where nothing can be forked. */
const KILL_MS = 2_000;
/** It answers at once, unless code in the sandbox has stopped it. */
const PREPARE_MS = 30_000;
const LONGEST_LINE = 200;

/** Pipes that came with the launch, and the starter's first descriptor of them. */
export interface SparePipes {
  readonly first: number;
  readonly pipes: Pipes;
}

interface Pending {
  readonly prepared: (word: string) => void;
  readonly ended: (exit: ProcessExit) => void;
  /** In the sandbox. */
  pid?: string;
  isKilled: boolean;
}

export interface StarterOptions {
  readonly requests: Writable;
  readonly reports: Readable;
  /** For the first processes, which so start sooner. */
  readonly spare: readonly SparePipes[];
  /** The folder of the named pipes, on the host. */
  readonly ioDir: string;
  readonly clock: Clock;
  /** Called when it told something that makes no sense. */
  readonly onNonsense: () => void;
}

export class Starter {
  /** Resolves with true when processes can be started, with false when its output ended before. */
  readonly ready: Promise<boolean>;
  readonly #options: StarterOptions;
  readonly #spare: SparePipes[];
  readonly #processes = new Map<string, Pending>();
  #lost: string | undefined;
  #setReady: (isReady: boolean) => void = () => {};
  #rest = '';
  #count = 0;
  /** One at a time is prepared. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: StarterOptions) {
    this.#options = options;
    this.#spare = [...options.spare];
    this.ready = new Promise(resolve => {
      this.#setReady = resolve;
    });
    options.reports.setEncoding('latin1');
    options.reports.on('data', (text: string) => this.#receive(text));
    options.requests.on('error', () => options.requests.destroy()); // shows as the end of its output
  }

  /** Throws SANDBOX_PROGRAM_MISSING, or SANDBOX_GONE. */
  spawn(argv: readonly [string, ...string[]]): Promise<SandboxProcess> {
    const started = this.#turn.then(() => this.#spawn(argv));
    this.#turn = Promise.allSettled([started]);
    return started;
  }

  /** Nothing will be reported any more. */
  lose(reason: string): void {
    this.#lost ??= reason;
    this.#setReady(false);
    for (const { pipes } of this.#spare) for (const stream of Object.values(pipes)) stream.destroy();
    for (const [id, { prepared, ended }] of this.#processes) {
      this.#processes.delete(id);
      prepared('lost');
      ended({ lost: this.#lost });
    }
  }

  async #spawn(argv: readonly [string, ...string[]]): Promise<SandboxProcess> {
    if (this.#lost !== undefined) throw gone(this.#lost);
    const id = String(++this.#count);
    const { promise: word, resolve: prepared } = Promise.withResolvers<string>();
    const { promise: ended, resolve: end } = Promise.withResolvers<ProcessExit>();
    this.#processes.set(id, { prepared, ended: end, isKilled: false });
    const spare = this.#spare.shift();
    const words = argv.map(each => Buffer.from(each, 'utf8'));
    const header = `prepare ${id} ${spare?.first ?? '-'} ${words.map(each => each.length).join(' ')}\n`;
    const start = Buffer.from(`start ${id}\n`);
    this.#options.requests.write(Buffer.concat([Buffer.from(header), ...words, ...(spare ? [start] : [])]));
    const timer = this.#options.clock.after(PREPARE_MS, () => prepared('late'), { keepAlive: true });
    const answer = await word;
    timer.cancel();
    if (answer !== 'prepared') {
      this.#processes.delete(id);
      if (spare) this.#spare.unshift(spare);
      if (answer === 'missing') throw missing(argv[0]);
      if (answer === 'refused' && this.#lost === undefined) throw noPipes();
      throw gone(this.#lost ?? 'its starter does not answer');
    }
    const pipes = spare?.pipes ?? openPipes(this.#options.ioDir, id);
    if (!spare) this.#options.requests.write(start);
    return pipedProcess({ pipes, ended, kill: () => void this.#kill(id), clock: this.#options.clock });
  }

  async #kill(id: string): Promise<void> {
    const pending = this.#processes.get(id);
    if (!pending) return;
    pending.isKilled = true;
    if (pending.pid !== undefined) this.#options.requests.write(`kill ${pending.pid}\n`);
    await sleep(this.#options.clock, KILL_MS);
    this.#end(id, { lost: 'it could not be killed in time' });
  }

  #end(id: string, exit: ProcessExit): void {
    this.#processes.get(id)?.ended(exit);
    this.#processes.delete(id);
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    const isSense = lines.every(line => this.#understand(line)) && this.#rest.length <= LONGEST_LINE;
    if (!isSense) this.#options.onNonsense();
  }

  /** False for what the starter does not say. */
  #understand(line: string): boolean {
    const [verb, id = '', first = '', second = ''] = line.split(' ');
    const pending = this.#processes.get(id);
    switch (verb) {
      case 'ready':
        this.#setReady(true);
        return true;
      case 'prepared':
      case 'missing':
      case 'refused':
        pending?.prepared(verb);
        return true;
      case 'started':
        if (!/^\d{1,9}$/.test(first)) return false;
        if (pending) pending.pid = first;
        if (pending?.isKilled) this.#options.requests.write(`kill ${first}\n`);
        return true;
      case 'ended':
        if (!/^\d{1,3}$/.test(second)) return false;
        this.#end(
          id,
          first === 'signaled' ? { signal: signalName(Number(second)) } : { code: Number(second) },
        );
        return true;
      default:
        return false;
    }
  }
}

function signalName(number: number): string {
  const known = Object.entries(constants.signals).find(([, value]) => value === number);
  return known?.[0] ?? `SIG${number}`;
}

function missing(program: string): HermesError {
  const message = `${program} could not be started: there is no such program in the sandbox.`;
  return new HermesError('SANDBOX_PROGRAM_MISSING', message, { details: { program } });
}

function noPipes(): HermesError {
  const message =
    'No process could be started: the sandbox can make no pipes for it. End some processes in it.';
  return new HermesError('SANDBOX_SPAWN_FAILED', message);
}

function gone(reason: string): HermesError {
  return new HermesError('SANDBOX_GONE', `The sandbox does not exist any more: ${reason}.`, {
    details: { reason },
  });
}
