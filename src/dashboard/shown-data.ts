// Data as a page gets it: without secrets (P7), and without what no page needs to know. Pure.
import { redactLongData } from '../base/redact/redact-data.ts';

/** Answers to questions are given by their id; the nonce is for buttons in chats. */
const NEVER_SHOWN = ['nonce', 'codeHash'];

export function shownData(
  value: unknown,
  redact: (text: string) => string | Promise<string>,
): Promise<unknown> {
  return redactLongData(without(value), redact);
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !NEVER_SHOWN.includes(key))
      .map(([key, each]) => [key, without(each)]),
  );
}
