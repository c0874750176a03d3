// Redaction of plain data: every text in it, at any depth. Names of fields stay: they are ours. Pure (P7).
import { nextTurn } from '../clock.ts';

/** How many characters are redacted before others have their turn. */
const AT_ONCE = 65_536;

export function redactData(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(each => redactData(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactData(each, redact)]));
}

/** The same for data that may be large. */
export async function redactLongData(
  value: unknown,
  redact: (text: string) => string | Promise<string>,
): Promise<unknown> {
  let done = 0;
  const redacted = async (one: unknown): Promise<unknown> => {
    if (typeof one === 'string') {
      done += one.length;
      if (done > AT_ONCE) {
        done = 0;
        await nextTurn();
      }
      return redact(one);
    }
    if (typeof one !== 'object' || one === null) return one;
    const entries: [string, unknown][] = [];
    for (const [key, each] of Object.entries(one)) entries.push([key, await redacted(each)]);
    return Array.isArray(one) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
  };
  return redacted(value);
}
