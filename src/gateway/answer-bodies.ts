// How a finished answer is sent: as the last edit of what was shown while it was written, or as new messages; very long ones as
// a file.
// Redacted first (P7): half a secret has no shape, and a file goes out as the bytes that it is. Pure.
import type { PlatformCapabilities } from '../platforms/platform.ts';
import { cutText } from './cut-text.ts';
import type { NewBody } from './outgoing.ts';

/** More messages than this in a row are nothing to read. */
const MOST_MESSAGES = 4;
const PREVIEW = 600;

/** What is promised of every platform; for one that is not served now. */
export const UNKNOWN_PLATFORM = { maxText: 4000, maxFileOut: 0 };

interface AnswerPlace {
  readonly capabilities: Pick<PlatformCapabilities, 'maxText' | 'maxFileOut'>;
  /** The row that shows the answer while it is written; absent if nothing was shown yet. */
  readonly live: number | undefined;
  readonly redact: (text: string) => string;
  /** It tells what became of the run, and is no answer. */
  readonly isReport?: boolean;
}

export function answerBodies(
  said: string,
  { capabilities, live, redact, isReport = false }: AnswerPlace,
): readonly NewBody[] {
  const { maxText, maxFileOut } = capabilities;
  const text = redact(said);
  const kind = isReport ? { isReport: true as const } : {};
  const first = (part: string): NewBody =>
    live === undefined
      ? { kind: 'text', text: part, ...kind }
      : { kind: 'edit', target: live, text: part, ...kind };
  if (text.length <= maxText) return [first(text)];
  const bytes = Buffer.from(text, 'utf8');
  if (text.length > maxText * MOST_MESSAGES && bytes.length <= maxFileOut) {
    const [preview] = cutText(text, Math.min(PREVIEW, maxText - 100));
    const note = `${preview}\n\n… The whole answer has ${text.length} characters and comes as a file.`;
    return [first(note), { kind: 'file', name: 'answer.md', bytes }];
  }
  if (live === undefined) return [first(text)];
  const [head, rest] = cutText(text, maxText);
  return [first(head), { kind: 'text', text: rest, ...kind }];
}
