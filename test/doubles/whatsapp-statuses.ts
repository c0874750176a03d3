// What becomes of an accepted message, as webhooks report it. Facts from Meta's reference of the `statuses` webhook
// (developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status) and of its error codes
// (…/whatsapp/support/error-codes): every message is followed by `sent`, `delivered` and `read`, or by `failed`; their order does
// not say in which order things happened, and a notification may come twice.
import type { SentMessage } from './whatsapp-sending.ts';
import type { Json } from './whatsapp-webhooks.ts';

/** Why an accepted message does not arrive. */
export interface LateRefusal {
  readonly code: number;
  readonly title: string;
  readonly details: string;
}

/** The customer service window: free messages are delivered for so long after the person has written. */
const WINDOW_MS = 24 * 3_600_000;

const RE_ENGAGEMENT: LateRefusal = {
  code: 131047,
  title: 'Re-engagement message',
  details:
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
};
export const UNDELIVERABLE: LateRefusal = {
  code: 131026,
  title: 'Message undeliverable',
  details: 'Message Undeliverable.',
};
export const MEDIA_ERROR: LateRefusal = {
  code: 131053,
  title: 'Media upload error',
  details: 'Unsupported media type, or the content does not match the type that was declared.',
};

/** Who wrote when, and who cannot be reached. */
export class Reachability {
  readonly #now: () => number;
  readonly #heardAt = new Map<string, number>();
  readonly #refusals = new Map<string, LateRefusal>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Somebody, or somebody in a group, has written now. */
  heard(...ids: readonly (string | undefined)[]): void {
    for (const id of ids) if (id !== undefined) this.#heardAt.set(id, this.#now());
  }

  /** Nothing reaches this chat any more, for this reason. */
  refuse(chat: string, refusal: LateRefusal): void {
    this.#refusals.set(chat, refusal);
  }

  /** Undefined = it arrives. A template may be sent at any time. */
  refusalOf({ chat, template }: SentMessage): LateRefusal | undefined {
    const refusal = this.#refusals.get(chat);
    if (refusal || template) return refusal;
    const heardAt = this.#heardAt.get(chat) ?? Number.NEGATIVE_INFINITY;
    return this.#now() - heardAt > WINDOW_MS ? RE_ENGAGEMENT : undefined;
  }
}

/** The statuses of one message, some twice and none in order. */
export function statusesOf(
  { id, chat, recipientType }: SentMessage,
  refusal: LateRefusal | undefined,
  now: number,
): readonly Json[] {
  const common = {
    id,
    timestamp: String(Math.floor(now / 1000)),
    recipient_id: chat,
    ...(recipientType === 'group' ? { recipient_type: 'group' } : {}),
  };
  if (refusal) {
    const { code, title, details } = refusal;
    const error = {
      ...{ code, title, message: title, error_data: { details } },
      href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
    };
    const failed = { ...common, status: 'failed', errors: [error] };
    return [failed, failed];
  }
  const pricing = {
    billable: false,
    pricing_model: 'PMP',
    type: 'free_customer_service',
    category: 'service',
  };
  return ['delivered', 'sent', 'read', 'delivered', 'sent'].map(status => ({ ...common, status, pricing }));
}
