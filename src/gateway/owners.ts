// The owners as those who are told: cards about strangers, and messages that were not delivered.
import { asHermesError } from '../base/errors.ts';
import type { OutgoingText } from '../platforms/platform.ts';
import type { OutgoingMessage } from '../store/outbox.ts';
import type { Repositories } from '../store/store.ts';
import type { Address } from './address.ts';
import type { Delivery, Parcel, Undelivery } from './delivery.ts';
import type { Link, Links } from './links.ts';
import { chatOf } from './outgoing.ts';
import type { GatewayParts } from './parts.ts';
import { patiently } from './patience.ts';
import type { CardPlace } from './request-cards.ts';

const DAY_MS = 86_400_000;
/** For the chat itself, as soon as it is there again. */
const TOO_OLD =
  'An earlier message to you could not be delivered for 24 hours and was dropped. Ask again if you still need it.';

interface OwnersParts {
  readonly parts: Pick<GatewayParts, 'world' | 'admission'>;
  readonly links: Links;
  readonly delivery: Delivery;
  /** Ends what is still tried. */
  readonly stopping: AbortSignal;
}

export class Owners {
  readonly #own: OwnersParts;

  constructor(own: OwnersParts) {
    this.#own = own;
  }

  /** What concerns no session goes out within some seconds or not at all. */
  async send(card: OutgoingText): Promise<readonly CardPlace[]> {
    const owners = await this.#own.parts.admission.ownerChats();
    return this.#reach(owners, async (address, { connection }) => {
      const { ids } = await connection.send(address.chat, card);
      // Buttons are under the last one.
      return { address, messageId: ids.at(-1) ?? '' };
    });
  }

  /** Changes what `send` has sent; returns where that could be done. */
  change(places: readonly CardPlace[], card: OutgoingText): Promise<readonly CardPlace[]> {
    const byAddress = new Map(places.map(place => [place.address, place]));
    return this.#reach([...byAddress.keys()], async (address, { connection }) => {
      const place = byAddress.get(address);
      if (!place || !connection.edit) return undefined;
      await connection.edit(address.chat, place.messageId, card);
      return place;
    });
  }

  /**
   * Not in the chat that cannot be reached, and once a day for each chat and cause: what follows fails for it too. What was
   * given up because of its age is told in its own chat too, as soon as that is there again. The audit has every message.
   * `change` happens together with both.
   */
  async tellNotDelivered(
    row: OutgoingMessage,
    { problem, isTooOld = false }: Undelivery,
    change: (repositories: Repositories) => Promise<void>,
  ): Promise<void> {
    const { parts, delivery } = this.#own;
    const text = `A message to a chat on ${row.platform} was not delivered: ${problem}`;
    const isKnown = await this.#isKnown(row, problem);
    const owners = (isKnown ? [] : await parts.admission.ownerChats()).filter(
      ({ platform, chat }) => platform !== row.platform || chat.id !== row.chat,
    );
    const notice = (address: Address, said: string): Parcel => ({
      to: { address, sessionId: row.sessionId },
      bodies: [{ kind: 'text', text: said, isFailureNotice: true }],
    });
    const parcels = owners.map(address => notice(address, text));
    if (isTooOld && !isKnown) parcels.push(notice({ platform: row.platform, chat: chatOf(row) }, TOO_OLD));
    await delivery.sendWith(parcels, async repositories => {
      await change(repositories);
      await repositories.audit.append({
        ...{ actor: 'gateway', sessionId: row.sessionId, action: 'delivery', outcome: 'failed' },
        subject: { id: `${row.platform}:${row.chat}` },
        details: { problem },
      });
    });
  }

  /** Whether another message to this chat failed for the same cause within a day. */
  async #isKnown({ seq, platform, chat }: OutgoingMessage, problem: string): Promise<boolean> {
    const { store, clock, redact } = this.#own.parts.world;
    // As the store has it.
    const shown = redact(problem);
    const failed = await store.outbox.undelivered({ since: clock.now() - DAY_MS, to: { platform, chat } });
    return failed.some(each => each.seq !== seq && each.problem === shown);
  }

  /** One who cannot be reached keeps nobody else waiting. */
  async #reach(
    addresses: readonly Address[],
    call: (address: Address, link: Link) => Promise<CardPlace | undefined>,
  ): Promise<readonly CardPlace[]> {
    const { parts, links, stopping } = this.#own;
    const { clock, log } = parts.world;
    const patience = { clock, signal: stopping, repeats: 'harmless' } as const;
    const reached = addresses.map(async address => {
      const { platform } = address;
      const link = links.find(platform);
      try {
        return link && (await patiently(() => call(address, link), patience));
      } catch (error) {
        log.warn({ platform, error: asHermesError(error).message }, 'an owner was not told');
        return undefined;
      }
    });
    return (await Promise.all(reached)).filter(place => place !== undefined);
  }
}
