// Old results of tools in short: what a model needs of them later is mostly that they were there. Pure.
import { truncateMiddle } from '../base/truncate.ts';
import type { ToolAnswer } from '../providers/provider.ts';

/** What is left of an old result. */
const KEPT_BYTES = 400;

export function shortenedAsOld(answer: ToolAnswer): ToolAnswer {
  return shortened(answer, KEPT_BYTES, 'Shortened because it is old. Call the tool again if you need it.');
}

/** For models that cannot read much at once. */
export function shortenedToFit(answer: ToolAnswer, mostBytes: number): ToolAnswer {
  return shortened(answer, mostBytes, 'Shortened because there is no room for more. Ask for less at a time.');
}

function shortened(answer: ToolAnswer, mostBytes: number, why: string): ToolAnswer {
  if (answer.text.length * 3 <= mostBytes) return answer;
  const { text, omittedBytes } = truncateMiddle(answer.text, mostBytes);
  return omittedBytes === 0 ? answer : { ...answer, text: `${text}\n(${why})` };
}
