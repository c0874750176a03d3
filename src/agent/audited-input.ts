// What the audit keeps of a call: all that it was given, redacted, and of a long text its beginning and end with the hash of
// the whole. What ran must be found there afterwards. Pure.
import { createHash } from 'node:crypto';
import { truncateMiddle } from '../base/truncate.ts';

export interface AuditedInput {
  /** As it was given; strings are redacted. Of what is no JSON the text. */
  readonly input: unknown;
  /** By name: those that were cut, with what they are as a whole. */
  readonly cut?: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
}

/** Of one text. */
const MOST_BYTES = 16 * 1024;
const WHOLE = 'input';

export async function auditedInput(
  input: string,
  redact: (text: string) => string | Promise<string>,
): Promise<AuditedInput> {
  const cut: Record<string, { bytes: number; sha256: string }> = {};
  const kept = async (name: string, value: unknown): Promise<unknown> => {
    if (typeof value !== 'string')
      return typeof value === 'object' ? kept(name, JSON.stringify(value)) : value;
    const text = await redact(value);
    const bytes = Buffer.byteLength(text);
    if (bytes <= MOST_BYTES) return text;
    cut[name] = { bytes, sha256: createHash('sha256').update(text).digest('hex') };
    return truncateMiddle(text, MOST_BYTES).text;
  };
  const given = fieldsOf(input);
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(given ?? {})) {
    const name = await redact(key);
    entries.push([name, await kept(name, value)]);
  }
  const all = given ? Object.fromEntries(entries) : await kept(WHOLE, input);
  return { input: all, ...(Object.keys(cut).length > 0 ? { cut } : {}) };
}

/** Undefined when it is no object. */
function fieldsOf(input: string): object | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
