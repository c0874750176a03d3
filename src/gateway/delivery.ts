// Everything that goes to a chat: written down first, sent in order for each chat, kept until the platform has it (P12).
import type { Undelivered } from '../platforms/platform.ts';
import type { NewOutgoingMessage, OutgoingMessage } from '../store/outbox.ts';
import { mayWorkAgain } from '../store/sqlite-errors.ts';
import type { Repositories } from '../store/store.ts';
import { laneKey } from './address.ts';
import { keepTrying } from './keep-trying.ts';
import { Lane, type Outcome } from './lane.ts';
import { LateFailures } from './late-failures.ts';
import type { Link } from './links.ts';
import { OutboxFiles } from './outbox-files.ts';
import { bodyOf, isReadable, type NewBody, type OutgoingBody, type Recipient, rowFor } from './outgoing.ts';
import type { GatewayWorld } from './parts.ts';
import { redactedFile, redactedText } from './redacted-connection.ts';
import { transmit } from './transmit.ts';

export interface DeliveryOptions {
  readonly world: GatewayWorld;
  readonly home: string;
  readonly link: (platform: string) => Link | undefined;
  /** It will not arrive. Called once for each message, and not for notices of failed delivery. `change` happens together with what it writes. */
  readonly onFailed: (row: OutgoingMessage, failure: Undelivery, change: Change) => Promise<void>;
}

export interface Undelivery {
  readonly problem: string;
  /** It has been tried for as long as anybody may want it. */
  readonly isTooOld?: boolean;
}

type Change = (repositories: Repositories) => Promise<void>;

/** What goes out together with a change of the store: both or neither. */
export interface Parcel {
  readonly to: Recipient;
  readonly bodies: readonly NewBody[];
}

const DAMAGED = 'What was to be sent is damaged in the state of the gateway and cannot be read.';

export interface Watched {
  readonly seq: number;
  readonly outcome: Promise<Outcome>;
}

export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #files: OutboxFiles;
  readonly #lanes = new Map<string, Lane>();
  readonly #asked = new Map<number, (outcome: Outcome) => void>();
  readonly #stopped = new AbortController();
  readonly #impatient = new AbortController();
  readonly #late: LateFailures;

  constructor(options: DeliveryOptions) {
    const { store } = options.world;
    this.#options = options;
    this.#files = new OutboxFiles(options.home);
    this.#late = new LateFailures({
      store,
      onFailed: (row, problem) =>
        this.#failed(row, { problem }, ({ outbox }) => outbox.markUndelivered(row.seq, problem)),
    });
  }

  /** At start: what the last life left, what it was sending known as a possible repeat. */
  async restore(): Promise<void> {
    const { store } = this.#options.world;
    await store.outbox.recoverInterrupted();
    await store.outbox.dropLives();
    const rows = await this.#readable(await store.outbox.waiting());
    await this.#files.removeOthers(new Set(rows.map(bodyOf).flatMap(fileOf)));
    this.#enqueue(rows);
  }

  /**
   * Takes up what stands in the outbox and nobody sends, in order. Of what was left while it was being sent, nobody knows
   * whether it has arrived.
   */
  async reconcile(): Promise<void> {
    const { store, log } = this.#options.world;
    const left = (await store.outbox.sending()).filter(row => !this.#hasRow(row)).map(({ seq }) => seq);
    if (left.length > 0) await store.outbox.recoverInterrupted(left);
    const waiting = (await store.outbox.waiting()).filter(row => !this.#hasRow(row));
    const rows = await this.#readable(waiting);
    if (rows.length > 0) log.warn({ seqs: rows.map(({ seq }) => seq) }, 'messages that nobody sent are sent');
    this.#enqueue(rows);
  }

  /** One that is damaged counts as not delivered, and keeps no other one from being sent. */
  async #readable(rows: readonly OutgoingMessage[]): Promise<readonly OutgoingMessage[]> {
    const readable = rows.filter(isReadable);
    for (const row of rows.filter(each => !isReadable(each))) {
      await this.#options.onFailed(row, { problem: DAMAGED }, async ({ outbox }) => {
        await outbox.startSending(row.seq);
        await outbox.giveUp(row.seq, { problem: DAMAGED });
      });
    }
    return readable;
  }

  #hasRow(row: OutgoingMessage): boolean {
    return this.#lanes.get(laneKey(row))?.has(row.seq) ?? false;
  }

  /** Written down when it resolves, and then on its way. */
  async send(to: Recipient, ...bodies: readonly NewBody[]): Promise<void> {
    await this.sendWith([{ to, bodies }], async () => {});
  }

  /** The same, together with `change`. */
  async sendWith(parcels: readonly Parcel[], change: Change): Promise<void> {
    this.#enqueue(await this.#write(parcels, change));
  }

  /** The same, for who wants to know what becomes of it. */
  async sendWatched(to: Recipient, body: NewBody): Promise<Watched> {
    const rows = await this.#write([{ to, bodies: [body] }], async () => {});
    const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
    const [{ seq } = { seq: 0 }] = rows;
    this.#asked.set(seq, resolve);
    this.#enqueue(rows);
    return { seq, outcome };
  }

  /** A platform reports that something it accepted did not arrive. Resolves when that is written down. */
  undelivered(platform: string, report: Undelivered): Promise<void> {
    return this.#late.report(platform, report);
  }

  wake(platform: string): void {
    for (const [key, lane] of this.#lanes)
      if (key.startsWith(JSON.stringify([platform]).slice(0, -1))) lane.wake();
  }

  /** From now on a file that cannot be put aside is an error at once. */
  failFast(): void {
    this.#impatient.abort();
  }

  /** Ends the waiting; what is being sent is finished, everything else stays for the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([...this.#lanes.values()].map(lane => lane.idle()));
  }

  /** Resolves when everything that can go has gone. */
  async drained(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(lane => lane.idle()));
  }

  async #write(parcels: readonly Parcel[], change: Change): Promise<readonly OutgoingMessage[]> {
    const prepared: NewOutgoingMessage[] = [];
    for (const { to, bodies } of parcels) {
      for (const body of bodies) prepared.push(rowFor(to, await this.#prepare(body)));
    }
    return this.#options.world.store.together(async repositories => {
      const written: OutgoingMessage[] = [];
      for (const row of prepared) written.push(await repositories.outbox.put(row));
      await change(repositories);
      return written;
    });
  }

  /** Hidden before it is written down: the outbox is a way out (P7). */
  async #prepare(body: NewBody): Promise<OutgoingBody> {
    const { redact } = this.#options.world;
    if (body.kind !== 'file') return redactedText(body, redact);
    const { bytes, ...rest } = redactedFile(body, redact);
    return { ...rest, file: await this.#putFile(bytes) };
  }

  /** A full disk costs time, as with what stands in the store. */
  #putFile(bytes: Uint8Array): Promise<string> {
    const { clock } = this.#options.world;
    const { signal } = this.#impatient;
    return keepTrying(() => this.#files.put(bytes), { clock, signal, mayPass: mayWorkAgain });
  }

  #enqueue(rows: readonly OutgoingMessage[]): void {
    for (const row of rows) this.#lane(row).add(row);
  }

  #lane(row: OutgoingMessage): Lane {
    const { world, link } = this.#options;
    const key = laneKey(row);
    const lane =
      this.#lanes.get(key) ??
      new Lane({
        ...{ store: world.store, clock: world.clock, log: world.log },
        link: () => link(row.platform),
        transmit: (each, by) => transmit(each, by, { store: world.store, files: this.#files }),
        // Its end follows, and says all of it.
        isDispensable: each => bodyOf(each).kind === 'live',
        onOutcome: (each, outcome) => this.#settled(each, outcome),
        onEmpty: () => this.#lanes.delete(key),
        signal: this.#stopped.signal,
      });
    this.#lanes.set(key, lane);
    return lane;
  }

  async #settled(row: OutgoingMessage, outcome: Outcome): Promise<void> {
    const late = outcome.kind === 'sent' ? await this.#late.sent(row, outcome.ids) : undefined;
    this.#asked.get(row.seq)?.(late === undefined ? outcome : { kind: 'failed', problem: late });
    this.#asked.delete(row.seq);
    const body = bodyOf(row);
    for (const file of fileOf(body)) await this.#files.remove(file);
    if (outcome.kind === 'failed') await this.#failed(row, outcome, async () => {});
  }

  /** `change` marks it as failed, if nothing else has. */
  async #failed(row: OutgoingMessage, failure: Undelivery, change: Change): Promise<void> {
    const body = bodyOf(row);
    const isMinor = body.kind === 'live' || ('isFailureNotice' in body && body.isFailureNotice);
    if (isMinor) await this.#options.world.store.together(change);
    else await this.#options.onFailed(row, failure, change);
  }
}

function fileOf(body: OutgoingBody): string[] {
  return body.kind === 'file' ? [body.file] : [];
}
