// Hides secrets in whatever is shown: every text in plain data, and what no page needs to know. Pure (P7).

/** Answers to questions are given by their id; the nonce is for buttons in chats. */
const NEVER_SHOWN = ['nonce', 'codeHash'];

export function redactData(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(each => redactData(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !NEVER_SHOWN.includes(key))
      .map(([key, each]) => [key, redactData(each, redact)]),
  );
}
