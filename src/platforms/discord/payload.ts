// The parts of Discord's payloads that mean something to us. What does not have this shape is no event. No text has a length
// to check: zod compares lengths also of what is no text, and JSON can make one that throws then.
import { z } from 'zod';

/** Ids are numbers of 64 bits, written as text. */
const id = z.string().regex(/^\d{1,20}$/);

const user = z.object({
  id,
  username: z.string().default(''),
  global_name: z.string().nullish(),
  bot: z.boolean().default(false),
});

const attachment = z.object({
  id,
  filename: z.string(),
  size: z.int().nonnegative().optional(),
  url: z.string(),
});

const sticker = z.object({ name: z.string() });

/** What somebody wrote, also when it is passed on by somebody else. */
const content = z.object({
  content: z.string().default(''),
  attachments: z.array(attachment).default([]),
  sticker_items: z.array(sticker).default([]),
});

export const messageShape = content.extend({
  id,
  channel_id: id,
  guild_id: id.optional(),
  channel_type: z.int().optional(),
  type: z.int().default(0),
  author: user,
  webhook_id: id.optional(),
  mentions: z.array(z.object({ id })).default([]),
  referenced_message: z.object({ author: z.object({ id }) }).nullish(),
  /** Type 1 = a message that is passed on; its words stand in the snapshots. */
  message_reference: z.object({ type: z.int().default(0) }).nullish(),
  message_snapshots: z.array(z.object({ message: content })).default([]),
});

/** A channel as interactions, servers and lookups show it. */
export const channelShape = z.object({
  id,
  type: z.int(),
  parent_id: id.nullish(),
  /** Of a thread: who opened it. */
  owner_id: id.nullish(),
  last_message_id: id.nullish(),
});

export const guildShape = z.object({
  id,
  channels: z.array(z.unknown()).default([]),
  threads: z.array(z.unknown()).default([]),
});

export const threadListShape = z.object({ threads: z.array(z.unknown()) });

const option = z.object({ value: z.union([z.string(), z.number(), z.boolean()]).optional() });

export const interactionShape = z.object({
  id,
  application_id: id,
  type: z.int(),
  token: z.string(),
  guild_id: id.optional(),
  /** 2 = a private chat between others. */
  context: z.int().optional(),
  channel: channelShape,
  member: z.object({ user }).optional(),
  user: user.optional(),
  message: z.object({ id }).optional(),
  data: z.object({
    /** Of a command: 1 = typed with a slash. */
    type: z.int().optional(),
    name: z.string().optional(),
    options: z.array(option).default([]),
    component_type: z.int().optional(),
    custom_id: z.string().optional(),
  }),
});

export const applicationShape = z.object({ id, flags: z.int().optional() });
export const ownUserShape = z.object({ id, username: z.string() });
export const sentShape = z.object({ id });
export const historyShape = z.array(z.unknown());

export const gatewayShape = z.object({
  url: z.string().regex(/^wss?:\/\/[^\s?#]+$/),
  session_start_limit: z.object({ remaining: z.int(), reset_after: z.number().nonnegative() }),
});

export type User = z.infer<typeof user>;
export type Content = z.infer<typeof content>;
export type Message = z.infer<typeof messageShape>;
export type Channel = z.infer<typeof channelShape>;
export type Interaction = z.infer<typeof interactionShape>;
