// Old results of tools in short: what a model needs of them later is mostly that they were there. Pure.
import { truncateMiddle } from '../base/truncate.ts';
import type { ToolAnswer } from '../providers/provider.ts';

/** What is left of a result. */
const KEPT_BYTES = 400;

export function shortened(answer: ToolAnswer): ToolAnswer {
  const { text, omittedBytes } = truncateMiddle(answer.text, KEPT_BYTES);
  if (omittedBytes === 0) return answer;
  return { ...answer, text: `${text}\n(Shortened because it is old. Call the tool again if you need it.)` };
}
