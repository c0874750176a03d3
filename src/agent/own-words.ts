// What the person wrote last, in their own words: it stands at the end of every summary and goes on from one to the next,
// because a model that tells it again and again tells something else in the end. Pure.
import { truncateMiddle } from '../base/truncate.ts';

const HEADING = '\n\nWhat the person wrote last, in their own words:\n';
/** Of a line of theirs; so that nothing they write looks like the heading, or like two messages. */
const QUOTE = '> ';
const BETWEEN = '\n\n';
const MOST = 3;

export function withOwnWords(summary: string, messages: readonly string[], mostBytes: number): string {
  const quoted = fitting(messages, mostBytes).map(quote);
  // The model may have copied the heading; the last one is ours.
  return quoted.length === 0 ? summary : `${summary}${HEADING}${quoted.join(BETWEEN)}`;
}

/** The messages that a summary carries, oldest first. */
export function ownWordsIn(summary: string): readonly string[] {
  const at = summary.lastIndexOf(HEADING);
  if (at === -1) return [];
  return summary
    .slice(at + HEADING.length)
    .split(BETWEEN)
    .map(unquote);
}

/** The newest ones; the very newest in any case, and if need be without its middle. */
function fitting(messages: readonly string[], mostBytes: number): readonly string[] {
  let room = mostBytes;
  const kept: string[] = [];
  for (const message of messages.toReversed()) {
    const isFirst = kept.length === 0;
    const text = isFirst ? truncateMiddle(message, mostBytes).text : message;
    room -= Buffer.byteLength(text);
    if (!isFirst && (room < 0 || kept.length === MOST)) break;
    kept.unshift(text);
  }
  return kept;
}

function quote(message: string): string {
  return message
    .split('\n')
    .map(line => QUOTE + line)
    .join('\n');
}

function unquote(quoted: string): string {
  return quoted
    .split('\n')
    .map(line => line.slice(QUOTE.length))
    .join('\n');
}
