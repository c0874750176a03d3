// What may pass to the gateway client of the library. It trusts what it is sent: a frame of another shape would be a rejected
// promise that nobody handles, and end the process. Pure.
import { z } from 'zod';

export const dispatchShape = z.object({
  op: z.literal(0),
  s: z.int().nonnegative(),
  t: z.string(),
  d: z.unknown(),
});
const ready = dispatchShape.extend({
  t: z.literal('READY'),
  d: z.object({ session_id: z.string(), resume_gateway_url: z.string() }),
});
const frameShape = z.union([
  ready,
  dispatchShape.extend({ t: z.string().refine(t => t !== 'READY') }),
  z.object({ op: z.literal(1) }),
  z.object({ op: z.literal(7) }),
  z.object({ op: z.literal(9), d: z.boolean() }),
  z.object({ op: z.literal(10), d: z.object({ heartbeat_interval: z.number().min(20).max(3_600_000) }) }),
  z.object({ op: z.literal(11) }),
]);

export type Frame = z.infer<typeof frameShape>;
export type Dispatch = z.infer<typeof dispatchShape>;

/** Undefined when it is none that we know. */
export function readFrame(data: unknown): Frame | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    return frameShape.safeParse(JSON.parse(data)).data;
  } catch (error) {
    // Not JSON, or nested more deeply than the stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the library starts anew after it: nothing else of the same connection counts then. */
export function endsConnection(frame: Frame): boolean {
  return frame.op === 7 || (frame.op === 9 && !frame.d);
}
