// The installation that a storm is about: a gateway as a service manager runs it, whose process can be killed at any moment, and
// what its database says.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Draws } from '../seed.ts';
import { within } from '../wait.ts';

const program = join(import.meta.dirname, '../../bin/hermes.js');
const MOST_STARTS = 40;
/** Between two starts, as service managers wait. */
const BETWEEN_MS = 1000;
const READY_MS = 120_000;
const STOP_MS = 120_000;

export interface InstallationOptions {
  readonly home: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly draws: Draws;
}

export class Installation {
  readonly #options: InstallationOptions;
  #child: ChildProcess | undefined;
  #stderr = '';
  /** How often it ended before it was ready, other than by us. */
  failedStarts = 0;
  kills = 0;

  constructor(options: InstallationOptions) {
    this.#options = options;
  }

  /** What it printed last, for people who look for the cause of a violation. */
  get stderr(): string {
    return this.#stderr.slice(-4000);
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Until it is ready; started again where it ends before, as a service manager does. Its greeting. */
  async start(): Promise<readonly string[]> {
    for (let starts = 0; starts < MOST_STARTS; starts++) {
      const greeting = await within(this.#spawn(), () => `the gateway is ready: ${this.stderr}`, READY_MS);
      if (greeting) return greeting;
      this.failedStarts++;
      await this.#options.draws.moment(BETWEEN_MS);
    }
    throw new Error(`the gateway ended ${MOST_STARTS} times before it was ready: ${this.stderr}`);
  }

  /** Begun and killed at a moment of its start. */
  async startAndKill(mostMs: number): Promise<void> {
    const ready = this.#spawn();
    await this.#options.draws.moment(mostMs);
    await this.kill();
    await ready;
  }

  async kill(): Promise<void> {
    this.kills++;
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await within(closed, `the gateway ends with ${signal}`, STOP_MS);
  }

  /** Undefined when it ends before it is ready. */
  async #spawn(): Promise<readonly string[] | undefined> {
    const { words, env } = this.#options;
    const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-20_000);
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const told = JSON.parse(line) as { event?: string; greeting?: readonly string[] }; // our own program's
      if (told.event !== 'ready') continue;
      child.stdout.resume();
      return told.greeting ?? [];
    }
    return undefined;
  }
}

/** The run that dealt with a message, by the text of the message. */
export function runsByText(home: string): ReadonlyMap<string, string> {
  using state = new DatabaseSync(join(home, 'state.db'), { readOnly: true });
  const rows = state.prepare('select body, run_id from inbox where run_id is not null').all();
  return new Map(
    rows.map(row => [(JSON.parse(String(row['body'])) as { text: string }).text, String(row['run_id'])]), // as the intake wrote it
  );
}

/** What the log says that went wrong, the newest last. */
export async function troubles(home: string): Promise<readonly string[]> {
  const lines = (await readFile(join(home, 'logs', 'gateway.log'), 'utf8')).split('\n');
  return lines.filter(line => /"level":"(?:warn|error|fatal)"|"msg":"swept"/.test(line));
}

/** Rows that are still to be dealt with when nothing happens any more. */
export function unsettledRows(home: string): readonly string[] {
  using state = new DatabaseSync(join(home, 'state.db'), { readOnly: true });
  const leases = state.prepare("select 'lease', id, holder, purpose from leases").all();
  return [...openRows(home), ...leases.map(row => Object.values(row).join(' '))];
}

/** Those of them that are on their way. */
export function openRows(home: string): readonly string[] {
  using state = new DatabaseSync(join(home, 'state.db'), { readOnly: true });
  const rows = (query: string): readonly string[] =>
    state
      .prepare(query)
      .all()
      .map(row => Object.values(row).join(' '));
  return [
    ...rows("select 'inbox', seq, state, chat, body from inbox where state <> 'done'"),
    ...rows("select 'outbox', seq, state, chat, problem from outbox where state in ('waiting', 'sending')"),
    ...rows("select 'run', id, state from runs where state = 'running'"),
  ];
}

/** Sandboxes that the database still has. */
export function sandboxRows(home: string): readonly string[] {
  using state = new DatabaseSync(join(home, 'state.db'), { readOnly: true });
  const rows = state.prepare("select id, state, problem from sandboxes where state <> 'gone'").all();
  return rows.map(row => `sandbox ${Object.values(row).join(' ')}`);
}

/** Every sandbox that ever was, in words. */
export function sandboxHistory(home: string): readonly string[] {
  using state = new DatabaseSync(join(home, 'state.db'), { readOnly: true });
  const rows = state
    .prepare(
      'select n.chat, s.id, s.state, s.created_at, s.state_since, s.problem from sandboxes s left join sessions n on n.id = s.session_id order by s.created_at',
    )
    .all();
  return rows.map(row => Object.values(row).join(' '));
}

/** Processes that name the home in their command or environment. */
export async function processesAt(home: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const read = (name: string): Promise<string> =>
      readFile(`/proc/${pid}/${name}`, 'utf8').catch(error => whenGone(error));
    const command = (await read('cmdline')).replaceAll('\0', ' ');
    if (command.includes(home) || (await read('environ')).includes(`HERMES_HOME=${home}`))
      found.push(`process ${pid} ${command.slice(0, 200)}`);
  }
  return found;
}

/** A process that ends while it is looked at has no files any more. */
function whenGone(error: unknown): string {
  if (error instanceof Error && 'code' in error) return '';
  throw error;
}
