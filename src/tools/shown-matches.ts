// Lines that grep found, as a model reads them: redacted first, then shortened. Pure.

const LONGEST = 400;

/** `path:12:text`, or `path-12-text` for a line around a match. */
const MATCH = /^(.*?[:-]\d+[:-])(.*)$/s;

export async function shownMatches(
  lines: readonly string[],
  redact: (text: string) => string | Promise<string>,
): Promise<readonly string[]> {
  const parts = lines.map(line => {
    const [, place = '', text = line] = MATCH.exec(line) ?? [];
    return { place, text };
  });
  // Without what stands before them, neighbouring lines of a key have its shape again.
  const together = (await redact(parts.map(({ text }) => text).join('\n'))).split('\n');
  const each =
    together.length === parts.length
      ? together
      : await Promise.all(parts.map(async ({ text }) => redact(text)));
  return parts.map(({ place }, at) => place + shortened(each[at] ?? ''));
}

function shortened(text: string): string {
  if (/[\0-\x08\x0e-\x1a]/.test(text)) return '(binary)';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}
