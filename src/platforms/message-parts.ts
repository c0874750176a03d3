// A text as the messages that it is sent in, within the limits of a platform.
import { HermesError, isHermesError } from '../base/errors.ts';
import type { Button, LimitHandling, OutgoingText, PlatformCapabilities, Sent } from './platform.ts';
import { splitText } from './split-text.ts';

type Buttons = readonly (readonly Button[])[];
type Limits = Pick<PlatformCapabilities, 'maxText' | 'maxButtonData'>;

export interface MessagePart {
  readonly text: string;
  /** Under the last part. */
  readonly buttons?: Buttons;
}

export interface LeavingPart extends MessagePart {
  /** `wait` once a piece of the same part has left: reported, that piece would be sent again. */
  readonly limit: LimitHandling;
}

/**
 * Sends the parts one after the other, but for those that an earlier try has sent; where one fails, `details.sentIds` of the
 * error says which have arrived. Throws USAGE_NOT_DELIVERED for a text with nothing in it. Buttons that carry too much are a
 * mistake of the caller's.
 */
export async function sendParts(
  message: OutgoingText,
  limits: Limits,
  send: (part: LeavingPart) => Promise<string>,
): Promise<Sent> {
  const { text, sentIds = [], mark, limit = 'wait' } = message;
  const buttons = checkedButtons(message, limits);
  const parts = splitText(text, limits.maxText);
  if (parts.length === 0) {
    throw new HermesError('USAGE_NOT_DELIVERED', 'There is nothing to send: the text is blank.');
  }
  const ids = [...sentIds];
  for (const [at, part] of parts.entries()) {
    if (at < sentIds.length) continue;
    const pieces = at === sentIds.length && mark !== undefined ? marked(part, mark, limits) : [part];
    try {
      const common = { ...(at === parts.length - 1 ? buttons : {}), limit };
      ids.push(await sendPieces(pieces, common, send));
    } catch (error) {
      throw withSentIds(error, ids);
    }
  }
  return { ids };
}

/** With the mark it may not fit into one message any more. What begins with code still does. */
function marked(part: string, mark: string, { maxText }: Limits): readonly string[] {
  return splitText(`${mark}${/^[ \t]*(?:`{3}|~{3})/.test(part) ? '\n' : ' '}${part}`, maxText);
}

/** The id of the last one. */
async function sendPieces(
  pieces: readonly string[],
  { limit, ...buttons }: Omit<LeavingPart, 'text'>,
  send: (part: LeavingPart) => Promise<string>,
): Promise<string> {
  let id = '';
  for (const [at, text] of pieces.entries()) {
    const isLast = at === pieces.length - 1;
    id = await send({ text, limit: at === 0 ? limit : 'wait', ...(isLast ? buttons : {}) });
  }
  return id;
}

/** The same failure, which says what has arrived before it. */
export function withSentIds(error: unknown, sentIds: readonly string[]): unknown {
  if (!isHermesError(error)) return error;
  const { code, message, details, cause } = error;
  return new HermesError(code, message, { details: { ...details, sentIds }, cause });
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
