// The beginning of a text that may be very long, for where its first words tell enough: redacted at once, and never cut
// within a secret (P7).

/** So much is looked at, */
const MOST = 65_536;
/** and so much of its end is left out again: a secret that was cut in two has no shape any more. */
const MARGIN = 8192;

export function redactedStart(text: string, redact: (text: string) => string): string {
  if (text.length <= MOST) return redact(text);
  return `${redact(text.slice(0, MOST)).slice(0, -MARGIN)}…`;
}
