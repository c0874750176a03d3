// A process in the sandbox as a SandboxProcess: three terminals, one for its input and the news of it, one for each stream of
// its output, so that bytes pass as they are and a stream that is held up holds up no other.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { type Clock, sleep } from '../../base/clock.ts';
import { shellQuote } from '../../base/shell-quote.ts';
import type { OutputListener, ProcessExit, SandboxProcess } from '../backend.ts';
import type { Toolbox } from './cloud.ts';
import { ApiFault } from './faults.ts';
import { Input } from './input.ts';
import { Output } from './output.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export interface PtyProcessOptions {
  readonly toolbox: Toolbox;
  readonly clock: Clock;
  readonly argv: readonly string[];
  readonly workdir: string;
  readonly signal?: AbortSignal | undefined;
  /** Runs a script in the sandbox, apart from the process. Throws ApiFault. */
  readonly execute: (script: string) => Promise<unknown>;
  /** Why the connection went, as far as can be told; never rejects. */
  readonly explainLoss: (reason: string) => Promise<string>;
}

/** The program was not started, for a reason that the sandbox itself gives. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  readonly word: string;

  constructor(word: string) {
    super(`the sandbox says ${word}`);
    this.word = word;
  }
}

export interface PtyProcess extends SandboxProcess {
  /** Its sandbox was stopped or removed by us: nothing of it is left. */
  drop(reason: string): void;
}

/** Throws ApiFault or NotStarted; then nothing of it is left. */
export async function startPtyProcess(options: PtyProcessOptions): Promise<PtyProcess> {
  const process = new Process(options);
  await process.open();
  return process;
}

const START_MS = 20_000;

class Process implements PtyProcess {
  readonly exit: Promise<ProcessExit>;
  readonly #options: PtyProcessOptions;
  readonly #exited = Promise.withResolvers<ProcessExit>();
  readonly #started = Promise.withResolvers<void>();
  readonly #input: Input;
  readonly #outputs: Record<'out' | 'err', Output>;
  #terminals: Partial<Record<'control' | 'out' | 'err', Terminal>> = {};
  #news = '';
  #pid = '';
  #verdict: ProcessExit | undefined;
  #isOver = false;

  constructor(options: PtyProcessOptions) {
    this.#options = options;
    this.exit = this.#exited.promise;
    // It may be known before anybody waits for it.
    void Promise.allSettled([this.#started.promise]);
    this.#input = new Input(data => this.#terminals.control?.send(data));
    const output = (stream: 'stdout' | 'stderr', name: 'out' | 'err'): Output =>
      new Output({
        stream,
        acknowledge: bytes => this.#terminals[name]?.send(`${bytes}\n`),
        onEnd: () => this.#finishWhenOver(),
      });
    this.#outputs = { out: output('stdout', 'out'), err: output('stderr', 'err') };
  }

  async open(): Promise<void> {
    const { toolbox, clock, argv, workdir, signal } = this.#options;
    const dir = `/tmp/.hermes-${randomBytes(8).toString('hex')}`;
    const words = `dir=${dir} start=${shellQuote(workdir)}\nset -- ${argv.map(shellQuote).join(' ')}\n`;
    const parts = { toolbox, clock, signal };
    const control = {
      script: words + script('begin') + script('control'),
      onData: (data: Buffer) => this.#hear(data),
    };
    const wanted = { control, out: this.#pump('out', dir), err: this.#pump('err', dir) };
    // News may come before all of them are known to be open.
    const opening = (['control', 'out', 'err'] as const).map(async name => {
      this.#terminals[name] = await openTerminal({ ...parts, ...wanted[name] });
    });
    const settled = await Promise.allSettled(opening);
    try {
      for (const each of settled) if (each.status === 'rejected') throw each.reason;
      const lost = Promise.race(Object.values(this.#terminals).map(({ closed }) => closed));
      await this.#untilStarted(lost);
      void lost.then(reason => this.#lose(reason));
    } catch (error) {
      this.#isOver = true;
      await this.#removeTerminals();
      throw error;
    }
  }

  /** What its user has made of a sandbox may keep our scripts from getting anywhere. */
  async #untilStarted(lost: Promise<string>): Promise<void> {
    const { clock, signal } = this.#options;
    const done = new AbortController();
    const limit = AbortSignal.any([done.signal, ...(signal ? [signal] : [])]);
    const late = sleep(clock, START_MS, limit).then(() => {
      throw new ApiFault(422, `nothing was started within ${START_MS / 1000} s`);
    });
    const closed = lost.then(reason => {
      throw new ApiFault(undefined, `a terminal was closed (${reason})`);
    });
    try {
      await Promise.race([this.#started.promise, closed, late]);
    } finally {
      done.abort();
      // Whichever came second is nobody's concern any more.
      void Promise.allSettled([late, closed]);
    }
  }

  write(data: Uint8Array): Promise<void> {
    return this.#input.write(data);
  }

  end(): void {
    this.#input.end();
  }

  onOutput(listener: OutputListener): void {
    this.#outputs.out.listen(listener);
    this.#outputs.err.listen(listener);
  }

  /** By another way than its input, which may be held up. */
  kill(): void {
    if (this.#isOver || this.#verdict) return;
    this.#options.execute(`kill -KILL ${this.#pid}`).catch((error: unknown) => {
      if (!(error instanceof ApiFault)) throw error;
      this.#lose(error.message);
    });
  }

  drop(reason: string): void {
    if (this.#isOver) return;
    this.#finish(this.#verdict ?? { lost: reason });
    for (const terminal of Object.values(this.#terminals)) terminal.close();
  }

  #pump(stream: 'out' | 'err', dir: string): { script: string; onData: (data: Buffer) => void } {
    return {
      script: `dir=${dir} stream=${stream}\n${script('begin')}${script('pump')}`,
      onData: data => {
        this.#outputs[stream].push(data);
      },
    };
  }

  #hear(data: Buffer): void {
    const lines = (this.#news + data.toString('latin1')).split('\n');
    this.#news = lines.pop() ?? '';
    for (const line of lines) this.#learn(line.trim().split(' '));
  }

  #learn([word = '', value = '']: readonly string[]): void {
    if (word === 'ready') {
      this.#pid = value;
      this.#started.resolve();
    } else if (word === 'missing' || word === 'nocwd') this.#started.reject(new NotStarted(word));
    else if (word === 'taken') this.#input.taken(Number(value));
    else if (word === 'exit') this.#end(asExit(Number(value)));
  }

  /** Its output is over where the mark stands that is asked for now, whoever still holds the pipes. */
  #end(verdict: ProcessExit): void {
    this.#verdict = verdict;
    this.#input.close();
    const mark = randomBytes(16).toString('hex');
    for (const output of Object.values(this.#outputs)) output.endAt(mark);
    this.#terminals.control?.send(`m${mark}\n`);
  }

  #finishWhenOver(): void {
    const { out, err } = this.#outputs;
    if (this.#isOver || !this.#verdict || !out.isOver || !err.isOver) return;
    this.#finish(this.#verdict);
    this.#terminals.control?.send('q\n');
    this.#terminals.control?.close();
    // What it has started may have their pipes for ever.
    void Promise.all([this.#terminals.out?.remove(), this.#terminals.err?.remove()]);
  }

  #finish(exit: ProcessExit): void {
    this.#isOver = true;
    this.#input.close();
    this.#exited.resolve(exit);
  }

  #lose(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#input.close();
    const { explainLoss } = this.#options;
    void explainLoss(reason).then(why => this.#exited.resolve(this.#verdict ?? { lost: why }));
    void this.#removeTerminals();
  }

  async #removeTerminals(): Promise<void> {
    await Promise.all(Object.values(this.#terminals).map(terminal => terminal.remove()));
  }
}

function script(name: 'begin' | 'control' | 'pump'): string {
  const text = readFileSync(new URL(`./shell/${name}.sh`, import.meta.url), 'utf8');
  return text.replaceAll(/^ *#.*\n/gm, '');
}

/** A shell tells a death by signal as 128 and the signal's number. */
function asExit(code: number): ProcessExit {
  const known = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return known ? { signal: known[0] } : { code };
}
