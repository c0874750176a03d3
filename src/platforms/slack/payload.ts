// The parts of Slack's payloads that mean something to us. What does not have this shape is no event. No text has a length to
// check: zod compares lengths also of what is no text, and JSON can make one that throws then.
import { z } from 'zod';

/** One frame of the socket. */
export const frameShape = z.object({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
  /** Of `hello`: how many programs take the events of this app. */
  num_connections: z.number().optional(),
  /** Of `disconnect`. */
  reason: z.string().optional(),
});

const id = z.string().regex(/^[A-Z0-9]+$/);
/** Seconds and a count, which together are the name of a message in its channel. */
const stamp = z.string().regex(/^\d+\.\d+$/);

const file = z.object({
  id,
  name: z.string().nullish(),
  title: z.string().nullish(),
  size: z.int().nonnegative().optional(),
  mode: z.string().optional(),
});

const share = z.object({
  is_share: z.literal(true),
  author_name: z.string().optional(),
  author_subname: z.string().optional(),
  text: z.string().optional(),
  fallback: z.string().optional(),
  files: z.array(file).optional(),
});

export const messageShape = z.object({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  channel: id,
  channel_type: z.string().optional(),
  user: id,
  bot_id: z.unknown().optional(),
  app_id: z.unknown().optional(),
  hidden: z.unknown().optional(),
  text: z.string().nullish(),
  ts: stamp,
  thread_ts: stamp.optional(),
  /** Who wrote the message that opened the thread. */
  parent_user_id: z.string().optional(),
  files: z.array(z.unknown()).optional(),
  attachments: z.array(z.unknown()).optional(),
});

export const fileShape = file;
export const shareShape = share;

/** What events of the Events API stand in. */
export const eventShape = z.object({ event: z.unknown() });

export const slashShape = z.object({
  command: z.string(),
  text: z.string().default(''),
  user_id: id,
  user_name: z.string().optional(),
  channel_id: id,
  trigger_id: z.string(),
});

export const pressShape = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id, username: z.string().optional(), name: z.string().optional() }),
  channel: z.object({ id }),
  message: z.object({ ts: stamp, thread_ts: stamp.optional() }),
  actions: z
    .array(
      z.object({
        type: z.literal('button'),
        action_id: z.string(),
        action_ts: z.string(),
        value: z.string(),
      }),
    )
    .min(1),
});

export type SlackMessage = z.infer<typeof messageShape>;
export type SlackFile = z.infer<typeof file>;
