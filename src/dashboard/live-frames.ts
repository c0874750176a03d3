// What is spoken over the live socket of a page: JSON in text frames. Pure.

import { z } from 'zod';
import { jsonOf } from '../base/json-of.ts';
import type { Sample } from './samples.ts';
import type { RunSteps, StepFrame } from './steps.ts';
import type { LineEnd } from './terminal.ts';
import { TOPICS, type Topic, type TopicNews } from './topics.ts';
import type { Usage } from './usage.ts';

const id = z.string().regex(/^[\w-]{1,64}$/);

const frame = z.discriminatedUnion('type', [
  /** What the page shows now; everything else is not sent to it. */
  z.object({
    type: z.literal('watch'),
    topics: z.array(z.enum([...(Object.keys(TOPICS) as [Topic, ...Topic[]]), 'figures', 'usage'])).max(16), // the keys of the table
    chat: z.string().max(64).exactOptional(),
  }),
  z.object({
    type: z.literal('line'),
    id,
    sandbox: id,
    command: z.string().max(32_768),
    cwd: z.string().max(4096).exactOptional(),
  }),
  z.object({ type: z.literal('stop-line'), id }),
]);

export type PageFrame = z.infer<typeof frame>;
export type Watched = Extract<PageFrame, { type: 'watch' }>['topics'][number];

export type LiveFrame =
  | ({ readonly type: 'topic' } & TopicNews)
  | { readonly type: 'figures'; readonly samples: readonly Sample[]; readonly isWhole: boolean }
  | { readonly type: 'usage'; readonly usage: Readonly<Record<string, Usage>> }
  | { readonly type: 'runs'; readonly runs: readonly RunSteps[] }
  | StepFrame
  | { readonly type: 'line-output'; readonly id: string; readonly text: string }
  | ({ readonly type: 'line-end'; readonly id: string } & Partial<LineEnd> & {
        readonly error?: { readonly code: string; readonly message: string };
      });

/** Undefined for anything that is no frame of ours. */
export function parsePageFrame(text: string): PageFrame | undefined {
  return frame.safeParse(jsonOf(text)).data;
}
