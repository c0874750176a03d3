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
  /** Present when somebody else's message is passed on; whatever shape it has. */
  forward_origin: z.unknown().optional(),
  /** The same, as older servers say it. */
  forward_date: z.unknown().optional(),
  forward_from: z.unknown().optional(),
  forward_from_chat: z.unknown().optional(),
  forward_sender_name: z.unknown().optional(),
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

const named = z.object({ title: z.string() });

/** Who wrote a message that is passed on, in every shape that says so. */
export const originShape = z.union([
  z.object({ sender_user: user }).transform(({ sender_user }) => nameOf(sender_user)),
  z.object({ sender_user_name: z.string() }).transform(({ sender_user_name }) => sender_user_name),
  z.object({ sender_chat: named }).transform(({ sender_chat }) => sender_chat.title),
  z.object({ chat: named }).transform(({ chat: { title } }) => title),
]);

export function nameOf({ id, first_name, last_name, username }: User): string {
  const name = [first_name, last_name].filter(Boolean).join(' ').trim();
  return name || (username ? `@${username}` : String(id));
}

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

/** In seconds. */
export const sentAtShape = z.object({ message: z.object({ date: z.int().positive() }) });
export const updateIdShape = z.object({ update_id: z.int().nonnegative() });

export type User = z.infer<typeof user>;
export type Message = z.infer<typeof messageShape>;
export type Press = z.infer<typeof pressShape>;
export type TelegramFile = z.infer<typeof file>;
