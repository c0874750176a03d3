// The parts of WhatsApp's webhooks that mean something to us. What does not have this shape is no event. No text has a length
// to check here: zod compares lengths also of what is no text, and JSON can make one that throws then.
import { z } from 'zod';

export const payloadShape = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.unknown()),
});

export const entryShape = z.object({ changes: z.array(z.unknown()) });

export const changeShape = z.object({
  field: z.literal('messages'),
  value: z.object({
    metadata: z.object({ phone_number_id: z.string() }),
    contacts: z.array(z.unknown()).optional(),
    messages: z.array(z.unknown()).optional(),
    statuses: z.array(z.unknown()).optional(),
  }),
});

export const contactShape = z.object({
  wa_id: z.string().optional(),
  user_id: z.string().optional(),
  profile: z.object({ name: z.string().optional(), username: z.string().optional() }).optional(),
});

const media = z.object({
  id: z.string(),
  caption: z.string().optional(),
  filename: z.string().optional(),
  mime_type: z.string().optional(),
});

const reply = z.object({ id: z.string() });

export const messageShape = z.object({
  id: z.string(),
  /** A number; or the other id, of people who hide it. */
  from: z.string().optional(),
  from_user_id: z.string().optional(),
  group_id: z.string().optional(),
  /** Seconds since 1970, as a text. */
  timestamp: z.string().optional(),
  type: z.string(),
  context: z
    .object({
      id: z.string().optional(),
      from: z.string().optional(),
      forwarded: z.unknown().optional(),
      frequently_forwarded: z.unknown().optional(),
    })
    .optional(),
  text: z.object({ body: z.string() }).optional(),
  image: media.optional(),
  video: media.optional(),
  audio: media.optional(),
  document: media.optional(),
  sticker: media.optional(),
  location: z.object({ latitude: z.number(), longitude: z.number(), name: z.string().optional() }).optional(),
  contacts: z
    .array(
      z.object({
        name: z.object({ formatted_name: z.string() }),
        phones: z.array(z.object({ phone: z.string().optional() })).optional(),
      }),
    )
    .optional(),
  interactive: z.object({ button_reply: reply.optional(), list_reply: reply.optional() }).optional(),
  /** A button of a template; it carries nothing of ours. */
  button: z.object({ text: z.string() }).optional(),
});

/** `sent`, `delivered` and `read` are the normal course of every message and mean nothing here. */
export const statusShape = z.object({
  id: z.string(),
  status: z.literal('failed'),
  /** Of one member of a group; the others may have it. */
  recipient_participant_id: z.undefined().optional(),
  errors: z
    .array(
      z.object({
        code: z.int(),
        title: z.string().optional(),
        error_data: z.object({ details: z.string().optional() }).optional(),
      }),
    )
    .optional(),
});

export type WireContact = z.infer<typeof contactShape>;
export type WireMessage = z.infer<typeof messageShape>;
