// The door of the gateway. Every event passes it before anything else happens with it: for strangers nothing is fetched,
// shown, stored or queued but one small request to be let in (P1). What is remembered and sent on their account is bounded.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Chat, PlatformEvent } from '../platforms/platform.ts';
import type { Person, PersonRef } from '../store/people.ts';
import type { Store } from '../store/store.ts';
import { type Authorisation, authorise, isUserId } from './authorise.ts';
import { claimIn, OwnerClaim } from './claim.ts';
import { Aside, type Doorway } from './doorway.ts';
import { plainName } from './foreign-text.ts';
import { PairingAnswers } from './pairing-answers.ts';
import { PairingRequests } from './pairing-requests.ts';
import { answeredText, CLAIMED, NOT_CLAIMED } from './pairing-words.ts';
import type { Admitted } from './parts.ts';
import type { PlatformPeople } from './people-rules.ts';
import { parsePerson, personOf } from './person-name.ts';
import { type OwnerPost, RequestCards } from './request-cards.ts';
import { Strangers } from './strangers.ts';

/** A message that was held until its sender was let in. */
export interface HeldMessage {
  readonly platform: string;
  readonly event: PlatformEvent;
}

export interface AdmissionOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly rules: (platform: string) => PlatformPeople;
  /** Other ids of the same person on that platform; absent = nobody has any. */
  readonly sameAs?: (person: PersonRef) => Promise<readonly string[]>;
  /** Cards to every owner in private; `ownerChats` says where that is. They are not waited for. */
  readonly owners: OwnerPost;
  /** An owner has let somebody in by a card: `takeApproved` has something. */
  readonly onApproved: () => void;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #aside: Aside;
  readonly #strangers: Strangers;
  readonly #claim: OwnerClaim;
  readonly #cards: RequestCards;
  readonly #requests: PairingRequests;
  readonly #answers: PairingAnswers;
  #replaying: Promise<unknown> = Promise.resolve();

  constructor(options: AdmissionOptions) {
    const { store, clock, log, owners, onApproved } = options;
    this.#options = options;
    this.#aside = new Aside({ log, clock });
    this.#strangers = new Strangers(clock);
    this.#claim = new OwnerClaim(store, clock);
    this.#cards = new RequestCards(owners, this.#aside);
    const shared = { store, log, aside: this.#aside, cards: this.#cards };
    this.#requests = new PairingRequests({
      ...{ ...shared, clock, strangers: this.#strangers },
      ownership: () => this.#claim.ownership(),
    });
    this.#answers = new PairingAnswers({
      ...shared,
      onDecided: (person, answer) => {
        this.#strangers.forget(person);
        if (answer === 'allow') onApproved();
      },
    });
  }

  /**
   * Who has caused the event; undefined when nothing more may happen with it: it was a stranger's, or one that concerns this
   * door only, and all that it brings about has been done or is on its way.
   */
  async admit(event: PlatformEvent, from: Doorway): Promise<Admitted | undefined> {
    if (event.kind === 'message' && !event.isAddressed) return undefined;
    const { platform } = from;
    const ref = { platform, userId: event.sender.id };
    if (!isUserId(ref.userId)) return undefined;
    const rules = this.#options.rules(platform);
    const { known, verdict } = await this.#judge(ref, rules);
    if (!verdict.allowed && verdict.because === 'denied') return undefined;
    if (await this.#isClaim(event, from, ref)) return undefined;
    if (verdict.allowed) {
      if (known) await this.#see(known, event);
      const admitted = { person: personOf(ref), name: plainName(event.sender.name), role: verdict.role };
      return (await this.#answers.take(event, from, admitted)) ? undefined : admitted;
    }
    if (event.kind === 'message' && event.chat.kind === 'private' && rules.strangers === 'pair')
      await this.#requests.meet(event, from);
    return undefined;
  }

  /** For what was said before: undefined when they may not speak any more. */
  async roleOf(person: string): Promise<Admitted['role'] | undefined> {
    const ref = parsePerson(person);
    if (!ref) return undefined;
    const { verdict } = await this.#judge(ref, this.#options.rules(ref.platform));
    return verdict.allowed ? verdict.role : undefined;
  }

  /** Whatever was decided about one of their ids holds for the person; that they are denied holds most. */
  async #judge(
    ref: PersonRef,
    rules: PlatformPeople,
  ): Promise<{ readonly known: Person | undefined; readonly verdict: Authorisation }> {
    const { store, sameAs } = this.#options;
    const others = (await sameAs?.(ref)) ?? [];
    const found = await Promise.all(
      [ref.userId, ...others].map(userId => store.people.find({ ...ref, userId })),
    );
    const decided = found.filter(person => person !== undefined);
    const known = decided.find(({ standing }) => standing === 'denied') ?? decided[0];
    return { known, verdict: authorise({ ...ref, sameAs: others, decision: known }, rules) };
  }

  /** The code that makes the first owner, to be printed and shown nowhere else; undefined when there is one already. */
  openClaim(): Promise<string | undefined> {
    return this.#claim.open();
  }

  /**
   * Gives each held message of people who have been let in, by a card or by the CLI, to `receive`, which takes it as if it
   * came just now. It is kept until `receive` has resolved: after a crash in between it comes again, and is known by its id.
   * Resolving with false keeps it too, for a platform that is not connected. To be called at the start, when a platform has
   * connected, by `onApproved`, and when the CLI says that people have changed. Returns how many were taken.
   */
  takeApproved(receive: (held: HeldMessage) => Promise<unknown>): Promise<number> {
    const taken = this.#replaying.then(() => this.#replay(receive));
    this.#replaying = Promise.allSettled([taken]);
    return taken;
  }

  /** Where owners are reached in private: as last seen, else by their own id, which is that chat on some platforms. */
  async ownerChats(): Promise<readonly { readonly platform: string; readonly chat: Chat }[]> {
    const people = await this.#options.store.people.list();
    return people
      .filter(({ role, standing }) => role === 'owner' && standing === 'allowed')
      .map(({ platform, userId, chat }) => ({ platform, chat: { id: chat ?? userId, kind: 'private' } }));
  }

  /** How many strangers are remembered. */
  get remembered(): number {
    return this.#strangers.size;
  }

  /** Resolves when what was to be sent has been. */
  settle(): Promise<void> {
    return this.#aside.settle();
  }

  /** What could not be sent so far is not tried again. */
  close(): void {
    this.#aside.close();
  }

  async #replay(receive: (held: HeldMessage) => Promise<unknown>): Promise<number> {
    const { pairings } = this.#options.store;
    let taken = 0;
    for (const pairing of await pairings.approved()) {
      const { id, platform, userId, event } = pairing;
      this.#strangers.forget(personOf({ platform, userId }));
      // It may have been answered elsewhere.
      this.#cards.settle(id, answeredText(pairing, 'allow'));
      const isTaken = await receive({ platform, event: event as PlatformEvent }); // as the request wrote it
      if (isTaken === false) continue;
      await pairings.remove(id);
      taken++;
    }
    return taken;
  }

  /** Whether it was an attempt to become the first owner; its text goes nowhere else. */
  async #isClaim(event: PlatformEvent, from: Doorway, ref: PersonRef): Promise<boolean> {
    if (event.kind !== 'message' || event.chat.kind !== 'private' || !this.#claim.isOpen()) return false;
    const typed = event.forwardedFrom === undefined ? claimIn(event.text) : undefined;
    if (typed === undefined) return false;
    const { store, log } = this.#options;
    const stranger = this.#strangers.meet(personOf(ref));
    const person = { ...ref, name: plainName(event.sender.name) };
    const isOwner = await this.#claim.take(person, typed, stranger.claims++);
    if (isOwner) {
      await store.people.see(ref, { chat: event.chat.id });
      this.#strangers.forget(personOf(ref));
      log.info({ person: personOf(ref) }, 'the installation has its first owner');
    }
    if (isOwner || this.#strangers.takeReply(from.platform, stranger)) {
      const text = isOwner ? CLAIMED : NOT_CLAIMED;
      this.#aside.do('reply to a claim', () => from.connection.send(event.chat, { text }));
    }
    return true;
  }

  /** Written only when it has changed. */
  async #see(known: Person, { sender, chat }: PlatformEvent): Promise<void> {
    const name = plainName(sender.name);
    const isNewChat = chat.kind === 'private' && known.chat !== chat.id;
    if (known.name === name && !isNewChat) return;
    await this.#options.store.people.see(known, { name, ...(isNewChat ? { chat: chat.id } : {}) });
  }
}
