// A file of the agent on its way to the chat, and the receipt that the model sees: what is known, no more (P9).
import type { AgentEvent } from '../agent/events.ts';
import { sleep } from '../base/clock.ts';
import { asHermesError } from '../base/errors.ts';
import type { RunContext } from './active-run.ts';
import type { Outcome } from './lane.ts';
import type { Recipient } from './outgoing.ts';

/** A model does not wait longer than that for a platform that is slow or away. */
const RECEIPT_MS = 20_000;

export async function deliverFile(
  { delivery, links, parts }: RunContext,
  to: Recipient,
  { file, delivered }: Extract<AgentEvent, { type: 'file' }>,
): Promise<void> {
  const { name, bytes } = file;
  const most = links.capabilities(to.address.platform)?.maxFileOut ?? 0;
  try {
    if (bytes.length > most) {
      delivered(`Not sent: ${name} has ${bytes.length} bytes, and this chat takes ${most} at most.`);
      return;
    }
    const { outcome } = await delivery.sendWatched(to, { kind: 'file', ...file });
    const late = new AbortController();
    const came = await Promise.race([outcome, tooLate(parts, late.signal)]);
    late.abort();
    delivered(receipt(name, bytes.length, came));
  } catch (error) {
    const { message } = asHermesError(error);
    parts.world.log.error({ run: to.runId, error: message }, 'a file was not written down for sending');
    delivered(`Not sent: ${name} could not be put on its way: ${message}`);
  }
}

async function tooLate({ world }: RunContext['parts'], signal: AbortSignal): Promise<undefined> {
  try {
    await sleep(world.clock, RECEIPT_MS, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return undefined;
}

function receipt(name: string, size: number, outcome: Outcome | undefined): string {
  if (!outcome) return `${name} (${size} bytes) is on its way; the platform has not taken it yet.`;
  if (outcome.kind === 'sent') return `Sent ${name} (${size} bytes) to the chat.`;
  return `Not delivered: ${name}: ${outcome.problem}`;
}
