// The parts of Telegram's updates that mean something to us. What does not have this shape is no event. No text has a
// length to check: zod compares lengths also of what is no text, and JSON can make one that throws then.
import { z } from 'zod';

const user = z.object({
  id: z.int(),
  is_bot: z.boolean().default(false),
  first_name: z.string().default(''),
  last_name: z.string().optional(),
  username: z.string().optional(),
});

const chat = z.object({
  id: z.int(),
  type: z.enum(['private', 'group', 'supergroup', 'channel']),
});

const entity = z.object({
  type: z.string(),
  offset: z.int().nonnegative(),
  length: z.int().nonnegative(),
  user: z.object({ id: z.int() }).optional(),
});

const file = z.object({
  file_id: z.string(),
  file_size: z.int().nonnegative().optional(),
  file_name: z.string().optional(),
});

export const messageShape = z.object({
  message_id: z.int(),
  message_thread_id: z.int().optional(),
  is_topic_message: z.boolean().optional(),
  from: user.optional(),
  /** Present when a chat speaks instead of a person: a channel, or an anonymous administrator. */
  sender_chat: z.object({ id: z.int() }).optional(),
  via_bot: z.object({ id: z.int() }).optional(),
  chat,
  text: z.string().optional(),
  entities: z.array(entity).optional(),
  caption: z.string().optional(),
  caption_entities: z.array(entity).optional(),
  reply_to_message: z
    .object({ from: user.optional(), forum_topic_created: z.unknown().optional() })
    .optional(),
  document: file.optional(),
  photo: z.array(file).optional(),
  voice: file.optional(),
  audio: file.optional(),
  video: file.optional(),
  video_note: file.optional(),
  sticker: z.object({ emoji: z.string().optional() }).optional(),
  location: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
  contact: z.object({ first_name: z.string(), phone_number: z.string() }).optional(),
});

export const pressShape = z.object({
  id: z.string(),
  from: user,
  message: z.object({
    message_id: z.int(),
    message_thread_id: z.int().optional(),
    is_topic_message: z.boolean().optional(),
    chat,
  }),
  data: z.string(),
});

export const updateShape = z.object({
  message: messageShape.optional(),
  callback_query: pressShape.optional(),
});

export const updateIdShape = z.object({ update_id: z.int().nonnegative() });

export type User = z.infer<typeof user>;
export type Message = z.infer<typeof messageShape>;
export type Press = z.infer<typeof pressShape>;
export type TelegramFile = z.infer<typeof file>;
