// The sessions of the double's gateway: what was dispatched in each, how far its client has confirmed it, and the socket that
// it has now. A session outlives its socket, and a resumed one is told what it missed.
import type { WebSocket } from 'ws';

interface Entry {
  readonly s: number;
  readonly t: string;
  readonly d: unknown;
}

interface Session {
  readonly id: string;
  readonly entries: Entry[];
  confirmed: number;
  socket: WebSocket | undefined;
}

/** What a person caused, so that somebody has to answer for it. */
const EVENTS = ['MESSAGE_CREATE', 'INTERACTION_CREATE'];

function isOfPerson({ t, d }: Entry): boolean {
  const author = typeof d === 'object' && d !== null && 'author' in d ? d.author : undefined;
  const isBot = typeof author === 'object' && author !== null && 'bot' in author && author.bot === true;
  return EVENTS.includes(t) && !isBot;
}

export class DiscordSessions {
  readonly #sessions = new Map<string, Session>();
  #next = 1;
  #isFrozen = false;

  get count(): number {
    return this.#sessions.size;
  }

  /** Of the latest session. */
  get unconfirmed(): number {
    const latest = [...this.#sessions.values()].at(-1);
    return latest?.entries.filter(entry => entry.s > latest.confirmed && isOfPerson(entry)).length ?? 0;
  }

  identify(socket: WebSocket): string {
    const id = `session-${this.#next++}`;
    this.#sessions.set(id, { id, entries: [], confirmed: 0, socket });
    return id;
  }

  /** False when there is no such session any more. The socket that it had is left alone: nothing comes over it. */
  resume(id: string, sequence: number, socket: WebSocket): boolean {
    const session = this.#sessions.get(id);
    if (!session) return false;
    session.socket = socket;
    session.confirmed = Math.max(session.confirmed, sequence);
    for (const entry of session.entries) if (entry.s > sequence) this.#write(session, entry);
    return true;
  }

  confirm(socket: WebSocket, sequence: number): void {
    for (const session of this.#sessions.values()) {
      if (session.socket === socket) session.confirmed = Math.max(session.confirmed, sequence);
    }
  }

  /** To all sessions, or to one. */
  dispatch(t: string, d: unknown, only?: string): void {
    for (const session of this.#sessions.values()) {
      if (only === undefined || session.id === only) this.#add(session, t, d);
    }
  }

  /** The same again under its number, as after a hiccup. */
  repeat(): void {
    for (const session of this.#sessions.values()) {
      const last = session.entries.findLast(({ t }) => EVENTS.includes(t));
      if (last) this.#write(session, last);
    }
  }

  /** The last two, the later first. */
  swapNext(first: readonly [string, unknown], second: readonly [string, unknown]): void {
    for (const session of this.#sessions.values()) {
      const s = session.entries.length + 1;
      const one = { s, t: first[0], d: first[1] };
      const two = { s: s + 1, t: second[0], d: second[1] };
      session.entries.push(one, two);
      this.#write(session, two);
      this.#write(session, one);
    }
  }

  /** Closed by its client: Discord forgets the session for these two codes. */
  closed(socket: WebSocket, code: number): void {
    for (const [id, session] of this.#sessions) {
      if (session.socket !== socket) continue;
      session.socket = undefined;
      if (code === 1000 || code === 1001) this.#sessions.delete(id);
    }
  }

  forget(): void {
    this.#sessions.clear();
  }

  /** Nothing is written any more, and nothing is closed: as over a line that is dead. */
  freeze(state: 'on' | 'off'): void {
    this.#isFrozen = state === 'on';
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  #add(session: Session, t: string, d: unknown): void {
    const entry = { s: session.entries.length + 1, t, d };
    session.entries.push(entry);
    this.#write(session, entry);
  }

  #write({ socket }: Session, entry: Entry): void {
    if (!this.#isFrozen) socket?.send(JSON.stringify({ op: 0, ...entry }));
  }
}
