// What is given back for a call: redacted first, cut only then (P7), and marked as data where it came from elsewhere.
import { truncateMiddle } from '../base/truncate.ts';
import type { ToolOutcome } from '../tools/tool.ts';
import type { Caller } from '../tools/tool-spec.ts';
import { asData } from './data-mark.ts';

/** Of everything that a model gets for one call. */
const MOST_CHARACTERS = 50_000;
/** For the mark of data and the notes about what was left out. */
const RESERVE = 400;
const LONGEST_NOTE = 4000;

export interface AnswerParts {
  readonly tool: string;
  readonly caller: Caller;
  readonly redact: (text: string) => string | Promise<string>;
}

export async function answerText(
  outcome: ToolOutcome,
  { tool, caller, redact }: AnswerParts,
): Promise<string> {
  const { text, success, notes = [] } = outcome;
  const all = success === undefined || caller === 'program' ? notes : [success, ...notes];
  const said = await Promise.all(all.map(async note => shortened(await redact(note))));
  const room = MOST_CHARACTERS - RESERVE - Buffer.byteLength(said.join('\n'));
  const { text: shown, omittedBytes } = truncateMiddle(await redact(text), Math.max(0, room));
  const cut =
    omittedBytes > 0 ? [`${omittedBytes} bytes in the middle were left out; ask for less at a time.`] : [];
  const lines = [...said, ...cut];
  if (caller === 'program')
    return [shown, ...lines.map(line => `[${line}]`)].filter(part => part !== '').join('\n');
  const data = shown === '' ? [] : [asData(shown, tool)];
  return [...data, ...lines].join('\n') || 'Done; there is nothing to show.';
}

function shortened(note: string): string {
  return truncateMiddle(note, LONGEST_NOTE).text;
}
