// Approvals in chats: a card to every owner, changed when it is settled; whoever asked is told that it waits (P8).
import type { ApprovalDesk } from '../approvals/desk.ts';
import type { Question } from '../approvals/question.ts';
import { shownFindings } from '../approvals/shown-findings.ts';
import type { Approval } from '../store/approvals.ts';
import { type Address, isSameChat } from './address.ts';
import { cardBodies, isButtonOf, parseCardButton, settledLine } from './card-text.ts';
import type { Delivery, Parcel } from './delivery.ts';
import type { Links } from './links.ts';
import { bodyOf, chatOf, type Recipient } from './outgoing.ts';
import type { Admitted, GatewayWorld } from './parts.ts';

export interface CardsParts {
  readonly world: GatewayWorld;
  readonly desk: ApprovalDesk;
  readonly delivery: Delivery;
  readonly links: Links;
  readonly ownerChats: () => Promise<readonly Address[]>;
}

export class Cards {
  readonly #parts: CardsParts;

  constructor(parts: CardsParts) {
    this.#parts = parts;
  }

  /** For the desk: false when no owner can be reached in private, so that nobody is asked. */
  async show(question: Question, name?: string): Promise<boolean> {
    const { world, delivery, links } = this.#parts;
    const owners = await this.#owners();
    // Before it is built: a file goes out as the bytes that it is.
    const hidden = { ...question, ...shownFindings(question, world.redact) };
    const parcels = owners.flatMap((address): Parcel[] => {
      const capabilities = links.capabilities(address.platform);
      if (!capabilities) return [];
      const to = { address, sessionId: question.sessionId, runId: question.runId };
      return [{ to, bodies: cardBodies(hidden, capabilities, name) }];
    });
    if (parcels.length === 0) return false;
    await delivery.sendWith(parcels, async () => {});
    return true;
  }

  /** Tells the chat of the run, unless the card stands there already. */
  async tellWaiting({ id }: Pick<Question, 'id'>, to: Recipient): Promise<void> {
    const owners = await this.#owners();
    if (owners.some(address => isSameChat(address, to.address))) return;
    const text =
      owners.length === 0
        ? 'This needs an owner’s approval, and no owner can be reached. It is not run.'
        : `Waiting for an owner to approve this (${id}).`;
    await this.#parts.delivery.send(to, { kind: 'text', text });
  }

  /** Changes all cards of the question to what became of it. */
  async settle(id: string): Promise<void> {
    const approval = await this.#parts.world.store.approvals.find(id);
    if (approval && approval.state !== 'pending')
      await this.#parts.delivery.sendWith(await this.changes(approval), async () => {});
  }

  async changes(approval: Approval): Promise<readonly Parcel[]> {
    const { sessionId, runId } = approval;
    const rows = await this.#parts.world.store.outbox.ofRun(sessionId, runId);
    return rows.flatMap((row): Parcel[] => {
      const body = bodyOf(row);
      if (body.kind !== 'card' || body.approvalId !== approval.id) return [];
      const text = `${body.text}\n\n${settledLine(approval)}`;
      const address = { platform: row.platform, chat: chatOf(row) };
      return [{ to: { address, sessionId, runId }, bodies: [{ kind: 'edit', target: row.seq, text }] }];
    });
  }

  /** What whoever pressed sees; undefined when the button is none of ours. */
  async press(data: string, by: Admitted): Promise<string | undefined> {
    const button = parseCardButton(data);
    if (!button) return undefined;
    const { world, desk } = this.#parts;
    const found = await world.store.approvals.find(button.id);
    const nonce = found && isButtonOf(button, found) ? found.nonce : 'of another question';
    const answerer = { who: by.person, isOwner: by.role === 'owner' };
    return (await desk.answer(button.id, answerer, button.decision, nonce)).text;
  }

  /** Those on platforms that are served now. */
  async #owners(): Promise<readonly Address[]> {
    const { ownerChats, links } = this.#parts;
    return (await ownerChats()).filter(({ platform }) => links.capabilities(platform) !== undefined);
  }
}
