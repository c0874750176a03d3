// The cards about strangers that owners have: changed with what the stranger says, and when somebody has answered. Known
// until the gateway stops; an older card says so when it is pressed.
import type { OutgoingText } from '../platforms/platform.ts';
import type { Pairing } from '../store/pairings.ts';
import type { Address } from './address.ts';
import type { Aside } from './doorway.ts';
import { requestCard } from './pairing-words.ts';

export interface CardPlace {
  readonly address: Address;
  readonly messageId: string;
}

/** How owners are reached about strangers. */
export interface OwnerPost {
  /** Sends a card to every owner in private; returns where it stands, nothing when no owner got it. */
  send(card: OutgoingText): Promise<readonly CardPlace[]>;
  /** Changes it wherever the platform can; returns where it stands then. */
  change(places: readonly CardPlace[], card: OutgoingText): Promise<readonly CardPlace[]>;
}

interface Shown {
  places: Promise<readonly CardPlace[]>;
  isLost: boolean;
}

const MOST_KNOWN = 200;

export class RequestCards {
  readonly #owners: OwnerPost;
  readonly #aside: Aside;
  readonly #shown = new Map<string, Shown>();
  readonly #replaced = new Set<string>();

  constructor(owners: OwnerPost, aside: Aside) {
    this.#owners = owners;
    this.#aside = aside;
  }

  /** `onLost`: no owner got it. */
  show(pairing: Pairing, message: string, onLost: () => void): void {
    const card = requestCard(pairing, message);
    this.#track(pairing.id, () => this.#owners.send(card), onLost);
  }

  /** The request has another message and another id now: the buttons of the card with the old one count no more. */
  replace(before: string, pairing: Pairing, message: string): void {
    const shown = this.#shown.get(before);
    this.#shown.delete(before);
    remember(this.#replaced, before);
    if (!shown) return;
    const card = requestCard(pairing, message);
    const change = async (): Promise<readonly CardPlace[]> => {
      const places = await shown.places;
      const changed = await this.#owners.change(places, card);
      return changed.length > 0 ? changed : this.#owners.send(card);
    };
    this.#track(pairing.id, change, () => {});
  }

  /** Whether the request goes on under another id. */
  isReplaced(id: string): boolean {
    return this.#replaced.has(id);
  }

  /** Whether owners were to be shown it and none has got it. */
  isLost(id: string): boolean {
    return this.#shown.get(id)?.isLost ?? false;
  }

  /** What became of it, on every card, the one that was pressed included; its buttons go. */
  settle(id: string, text: string, pressed?: CardPlace): void {
    const shown = this.#shown.get(id);
    this.#shown.delete(id);
    this.#aside.do('card', async () => {
      const known = (await shown?.places) ?? [];
      const isKnown = known.some(({ messageId }) => messageId === pressed?.messageId);
      const places = pressed && !isKnown ? [...known, pressed] : known;
      if (places.length > 0) await this.#owners.change(places, { text });
    });
  }

  #track(id: string, send: () => Promise<readonly CardPlace[]>, onLost: () => void): void {
    const { promise, resolve } = Promise.withResolvers<readonly CardPlace[]>();
    const shown: Shown = { places: promise, isLost: false };
    this.#shown.set(id, shown);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > MOST_KNOWN && oldest !== undefined) this.#shown.delete(oldest);
    this.#aside.do('card', async () => {
      const places = await send().catch(error => {
        resolve([]);
        throw error;
      });
      resolve(places);
      shown.isLost = places.length === 0;
      if (shown.isLost) onLost();
    });
  }
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MOST_KNOWN && oldest !== undefined) ids.delete(oldest);
}
