// A chat that cannot have a sandbox. An owner who writes there reads why; everybody else reads that the owners know, and the
// owners hear each reason once, not with every message.
import type { NoSandbox } from '../agent/events.ts';
import { errorCodes } from '../base/error-codes.ts';
import type { Delivery } from './delivery.ts';
import type { Recipient } from './outgoing.ts';
import type { Admitted, GatewayParts } from './parts.ts';

export interface NoSandboxParts {
  readonly parts: Pick<GatewayParts, 'admission' | 'world'>;
  readonly delivery: Pick<Delivery, 'sendWith'>;
}

export interface Concerned {
  readonly role: Admitted['role'];
  /** As they call themselves. */
  readonly name: string;
  readonly to: Recipient;
}

const DAY_MS = 86_400_000;

export class NoSandboxNews {
  readonly #own: NoSandboxParts;
  /** When the owners were told, by the reason. */
  readonly #toldAt = new Map<string, number>();

  constructor(own: NoSandboxParts) {
    this.#own = own;
  }

  /** Resolves when it is written down, for the chat and, where it is news to them, for the owners. */
  async tell(why: NoSandbox, { role, name, to }: Concerned): Promise<void> {
    const { parts, delivery } = this.#own;
    const owners = why.code === 'SANDBOX_IN_USE' ? [] : await parts.admission.ownerChats();
    const isNews = this.#isNews(why);
    const text = textFor(why, { role, hasOwners: owners.length > 0 });
    const others = isNews && role !== 'owner' ? owners : [];
    const forOwners = `⚠ Could not start a sandbox for ${name} on ${to.address.platform}: ${why.reason} You are told this reason once a day.`;
    await delivery.sendWith(
      [
        { to, bodies: [{ kind: 'text', text }] },
        ...others.map(address => ({
          to: { address, sessionId: to.sessionId },
          bodies: [{ kind: 'text', text: forOwners, isFailureNotice: true }] as const,
        })),
      ],
      async () => {},
    );
  }

  #isNews(why: NoSandbox): boolean {
    const now = this.#own.parts.world.clock.now();
    for (const [key, at] of this.#toldAt) if (at + DAY_MS <= now) this.#toldAt.delete(key);
    const key = reasonKey(why);
    if (this.#toldAt.has(key)) return false;
    this.#toldAt.set(key, now);
    return true;
  }
}

/** Pure. */
function textFor(
  { code, reason, forChat }: NoSandbox,
  { role, hasOwners }: { readonly role: Admitted['role']; readonly hasOwners: boolean },
): string {
  if (role === 'owner') return `⚠ Could not start a sandbox: ${reason}`;
  if (forChat !== undefined) return `⚠ ${forChat}`;
  if (!hasOwners) return `⚠ ${errorCodes[code].chat}`;
  return '⚠ Could not start a sandbox for this chat. The owner has been told why. Please try again later.';
}

/** The same for every sandbox that fails so: without their ids. */
function reasonKey({ code, reason }: NoSandbox): string {
  return `${code} ${reason.replace(/(?:hermes-)?[a-z0-9]{16}/g, '')}`;
}
