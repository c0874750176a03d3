// The connections to one machine. A server allows only so many sessions on each, so there are as many as are needed;
// they belong to the backend, not to a sandbox.
import type { Master } from './master.ts';

/** `lane`: stays for long. `errand`: a short command, for which some room is kept everywhere. */
export type Use = 'lane' | 'errand';

/** A session on a connection, counted from before it is opened until it is known to be closed. */
export interface Slot {
  readonly master: Master;
  release(): void;
  /** The server has opened the session. */
  confirm(): void;
  /** The server did not allow this session. False when it allows none at all. */
  refuse(): boolean;
  /** The connection is gone: nobody gets a slot on it any more. */
  drop(): void;
}

interface Member {
  readonly master: Master;
  sessions: number;
  /** How many the server allows, as far as is known. */
  most: number;
  /** Whether there ever was a session on it. */
  hasServed: boolean;
}

/** What sshd allows unless told otherwise (MaxSessions). */
const MOST_SESSIONS = 10;
const KEPT_FOR_ERRANDS = 2;

export class Masters {
  readonly #connect: () => Promise<Master>;
  readonly #members = new Set<Member>();
  readonly #ending = new Set<Promise<void>>();
  #connecting: Promise<void> | undefined;

  /** `connect` makes one more connection. */
  constructor(connect: () => Promise<Master>) {
    this.#connect = connect;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Rejects with the reason why there is no connection. */
  async acquire(use: Use): Promise<Slot> {
    for (;;) {
      const member = this.#free(use);
      if (member) return this.#slot(member);
      // One after the other: servers refuse many that knock at once.
      this.#connecting ??= this.#add();
      await this.#connecting;
    }
  }

  /** Ends all connections. One that is being made is waited for. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#connecting]);
    const members = [...this.#members];
    this.#members.clear();
    await Promise.all([...this.#ending, ...members.map(({ master }) => master.end())]);
  }

  #free(use: Use): Member | undefined {
    const members = [...this.#members];
    const room = ({ most }: Member): number =>
      use === 'errand' ? most : Math.max(1, most - KEPT_FOR_ERRANDS);
    if (use === 'lane') return members.find(member => member.sessions < room(member));
    return members
      .filter(member => member.sessions < room(member))
      .toSorted((a, b) => a.sessions - b.sessions)[0];
  }

  #slot(member: Member): Slot {
    let released = false;
    member.sessions++;
    return {
      master: member.master,
      release: () => {
        if (!released) member.sessions--;
        released = true;
      },
      confirm: () => {
        member.hasServed = true;
      },
      refuse: () => {
        const others = member.sessions - 1;
        if (others === 0) return member.hasServed && this.#replace(member);
        member.most = Math.min(member.most, others);
        return true;
      },
      drop: () => {
        this.#members.delete(member);
      },
    };
  }

  /** A session that has ended here is still open over there, and takes the place of the next one. */
  #replace(member: Member): true {
    this.#members.delete(member);
    const ending = member.master.end().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return true;
  }

  async #add(): Promise<void> {
    try {
      const master = await this.#connect();
      this.#members.add({ master, sessions: 0, most: MOST_SESSIONS, hasServed: false });
    } finally {
      this.#connecting = undefined;
    }
  }
}
