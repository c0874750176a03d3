// A text as the messages that it is sent in, for platforms whose only limits are their own.
import { HermesError } from '../base/errors.ts';
import type { Button, OutgoingText, PlatformCapabilities, Sent } from './platform.ts';
import { splitText } from './split-text.ts';

type Buttons = readonly (readonly Button[])[];
type Limits = Pick<PlatformCapabilities, 'maxText' | 'maxButtonData'>;

export interface MessagePart {
  readonly text: string;
  /** Under the last part. */
  readonly buttons?: Buttons;
}

/**
 * Sends the parts one after the other, but for those that an earlier try has sent. Throws USAGE_NOT_DELIVERED for a text
 * with nothing in it. Buttons that carry too much are a mistake of the caller's.
 */
export async function sendParts(
  message: OutgoingText,
  limits: Limits,
  send: (part: MessagePart) => Promise<string>,
): Promise<Sent> {
  const { text, sentIds = [] } = message;
  const buttons = checkedButtons(message, limits);
  const parts = splitText(text, limits.maxText);
  if (parts.length === 0) {
    throw new HermesError('USAGE_NOT_DELIVERED', 'There is nothing to send: the text is blank.');
  }
  const ids = [...sentIds];
  for (const [at, part] of parts.entries()) {
    if (at < sentIds.length) continue;
    ids.push(await send({ text: part, ...(at === parts.length - 1 ? buttons : {}) }));
  }
  return { ids };
}

/** For an edit, which cannot be split. Throws USAGE_NOT_DELIVERED when it does not fit. */
export function wholePart(message: OutgoingText, limits: Limits): MessagePart {
  const { text } = message;
  if (text.length > limits.maxText) {
    const reason = `The text has ${text.length} characters; a message has at most ${limits.maxText}.`;
    throw new HermesError('USAGE_NOT_DELIVERED', reason);
  }
  return { text, ...checkedButtons(message, limits) };
}

/** Where there are none they are left out. */
function checkedButtons(
  { buttons = [] }: OutgoingText,
  { maxButtonData }: Limits,
): { readonly buttons?: Buttons } {
  if (maxButtonData === 0 || buttons.length === 0) return {};
  const large = buttons.flat().find(({ data }) => Buffer.byteLength(data) > maxButtonData);
  if (!large) return { buttons };
  const reason = `The button ${large.label} carries more than the ${maxButtonData} bytes that fit.`;
  throw new HermesError('BUG_UNEXPECTED', reason);
}
