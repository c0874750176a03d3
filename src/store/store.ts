// The state of the installation: a small typed door to each table. All SQL of the project lives in this folder.
import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { type Approvals, approvals } from './approvals.ts';
import { type Audit, audit } from './audit.ts';
import { type BegunCalls, begunCalls } from './begun-calls.ts';
import { type Inbox, inbox } from './inbox.ts';
import { type Installation, installation } from './installation.ts';
import { type Leases, leases } from './leases.ts';
import { type Ledger, ledger } from './ledger.ts';
import { type Outbox, outbox } from './outbox.ts';
import { type Pairings, pairings } from './pairings.ts';
import { type People, people } from './people.ts';
import { Prepared } from './prepared.ts';
import { type Processes, processes } from './processes.ts';
import { type Runs, runs } from './runs.ts';
import { type Sessions, sessions } from './sessions.ts';
import type { Database, Tables } from './tables.ts';
import { Together } from './together.ts';
import { type Turns, turns } from './turns.ts';

export interface Repositories {
  readonly installation: Installation;
  readonly sessions: Sessions;
  readonly ledger: Ledger;
  readonly leases: Leases;
  readonly processes: Processes;
  readonly audit: Audit;
  readonly people: People;
  readonly pairings: Pairings;
  readonly inbox: Inbox;
  readonly outbox: Outbox;
  readonly approvals: Approvals;
  readonly runs: Runs;
  readonly turns: Turns;
  readonly begunCalls: BegunCalls;
}

/**
 * What a call has resolved for survives a crash of the process and of the machine. Throws UNAVAILABLE_LOCK when another
 * process writes for more than ten seconds, UNAVAILABLE_STORE_DISK when the disk is full or broken, UNAVAILABLE_STORE
 * when the file is damaged; then nothing of the call has been written.
 */
export interface Store extends Repositories {
  /**
   * Everything that `work` does with what it is given happens at once or, when it throws, not at all. Others wait
   * meanwhile: it must wait for nothing else, and using the store itself inside would wait for ever.
   */
  transaction<T>(work: (repositories: Repositories) => Promise<T>): Promise<T>;
  /** As `transaction`, for small work: what several ask for at the same time is committed at once. It may be called again. */
  together<T>(work: (repositories: Repositories) => Promise<T>): Promise<T>;
  /** Throws UNAVAILABLE_STORE when the file was deleted or replaced while it is open. */
  checkFile(): void;
  /** With patience: called each time that it works again after it has failed. */
  onRecovered(listener: () => void): void;
  /** With patience: there is none any more, so that what fails is thrown at once. */
  failFast(): void;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** In SQL names are written_like_this, in TypeScript writtenLikeThis. */
export function databaseOf(dialect: Dialect): Database {
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
}

export interface StoreParts {
  readonly clock: Clock;
  /** What hides secrets in every text from outside that is written for people to read (P7). */
  readonly redact: (text: string) => string;
  readonly prepared: Prepared;
}

/** A store over a database that has the newest version already. */
export function storeOf(db: Database, given: Omit<StoreParts, 'prepared'>): Store {
  const parts: StoreParts = { ...given, prepared: new Prepared() };
  const transaction: Store['transaction'] = work =>
    db.transaction().execute(inside => work(repositoriesOf(inside, parts)));
  const shared = new Together<Repositories>(transaction);
  return {
    ...repositoriesOf(db, parts),
    transaction,
    together: work => shared.do(work),
    checkFile: () => {},
    onRecovered: () => {},
    failFast: () => {},
    async close() {
      await connect(db);
      await db.destroy();
    },
  };
}

/** Resolves when the database is open and whatever was asked of it before has been done. */
export function connect(db: Database): Promise<void> {
  return db.connection().execute(async () => undefined);
}

/** Each is made when it is first asked for: a transaction uses two or three. */
function repositoriesOf(db: Database, parts: StoreParts): Repositories {
  const { clock } = parts;
  const made = new Map<string, unknown>();
  const once = <T>(name: keyof Repositories, make: () => T): T => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T; // what `make` has made under that name
  };
  return {
    get installation() {
      return once('installation', () => installation(db, clock));
    },
    get sessions() {
      return once('sessions', () => sessions(db, parts));
    },
    get ledger() {
      return once('ledger', () => ledger(db, parts));
    },
    get leases() {
      return once('leases', () => leases(db, clock));
    },
    get processes() {
      return once('processes', () => processes(db, parts));
    },
    get audit() {
      return once('audit', () => audit(db, parts));
    },
    get people() {
      return once('people', () => people(db, parts));
    },
    get pairings() {
      return once('pairings', () => pairings(db, clock));
    },
    get inbox() {
      return once('inbox', () => inbox(db, parts));
    },
    get outbox() {
      return once('outbox', () => outbox(db, parts));
    },
    get approvals() {
      return once('approvals', () => approvals(db, clock));
    },
    get runs() {
      return once('runs', () => runs(db, parts));
    },
    get turns() {
      return once('turns', () => turns(db, parts));
    },
    get begunCalls() {
      return once('begunCalls', () => begunCalls(db, clock));
    },
  };
}
