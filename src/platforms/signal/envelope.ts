// The parts of what signal-cli receives that mean something to us. What does not have this shape is no event. No text has a
// length to check: zod compares lengths also of what is no text, and JSON can make one that throws then.
import { z } from 'zod';
import { textOrNone } from './address.ts';

const mention = z.object({
  number: textOrNone,
  uuid: textOrNone,
  start: z.int().nonnegative(),
  length: z.int().nonnegative(),
});

const attachment = z.object({
  /** Absent when the daemon did not fetch it. */
  id: textOrNone,
  filename: textOrNone,
  contentType: textOrNone,
  size: z.int().nonnegative().nullish(),
});

const reaction = z.object({
  emoji: z.string(),
  targetAuthor: textOrNone,
  targetAuthorNumber: textOrNone,
  targetAuthorUuid: textOrNone,
  targetSentTimestamp: z.int(),
  isRemove: z.boolean().nullish(),
});

const quote = z.object({ author: textOrNone, authorNumber: textOrNone, authorUuid: textOrNone });

const contact = z.object({
  name: z.object({ display: textOrNone, given: textOrNone, family: textOrNone }).nullish(),
  phone: z.array(z.object({ value: textOrNone })).nullish(),
});

const message = z.object({
  timestamp: z.int().positive(),
  message: textOrNone,
  groupInfo: z.object({ groupId: z.string() }).nullish(),
  mentions: z.array(mention).nullish(),
  attachments: z.array(attachment).nullish(),
  quote: quote.nullish(),
  reaction: reaction.nullish(),
  contacts: z.array(contact).nullish(),
  /** Present when it answers a story; whatever shape it has. */
  storyContext: z.unknown().optional(),
});

/** What our own account sent from another device. */
const sentMessage = message.extend({
  destination: textOrNone,
  destinationNumber: textOrNone,
  destinationUuid: textOrNone,
  editMessage: z.unknown().optional(),
});

export const receivedShape = z.object({
  account: textOrNone,
  envelope: z.object({
    source: textOrNone,
    sourceNumber: textOrNone,
    sourceUuid: textOrNone,
    sourceName: textOrNone,
    dataMessage: message.nullish(),
    syncMessage: z.object({ sentMessage: sentMessage.nullish() }).nullish(),
  }),
});

export type Received = z.infer<typeof receivedShape>;
export type SignalMessage = z.infer<typeof message>;
export type SignalReaction = z.infer<typeof reaction>;
