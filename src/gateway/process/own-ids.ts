// Our own ids in a line of the log stay readable: by them lines are brought together. A field such as `session` is named like a
// secret, so its value is kept from redaction when it has exactly the form of an id and is no known secret by itself.
import { ID_ALPHABET, ID_LENGTH } from '../../base/ids.ts';

/** Fields of the log whose values are ids of ours. */
const OWN_FIELDS = [
  ...['session', 'sessionId', 'run', 'runId', 'event', 'eventId', 'sandbox', 'sandboxId'],
  ...['process', 'approval', 'approvalId', 'holder', 'lease', 'id'],
];
// A quote inside a text is escaped, so this is only ever a field.
const OWN_ID = new RegExp(`(?<=[{,])"(?:${OWN_FIELDS.join('|')})":"([${ID_ALPHABET}]{${ID_LENGTH}})"`, 'g');
const KEPT = /"@kept(\d+)":0/g;

/** Redacts a line of JSON except for our own ids. */
export function redactExceptOwnIds(line: string, redact: (text: string) => string): string {
  const kept: string[] = [];
  const without = line.replace(OWN_ID, (field, id: string) =>
    redact(id) === id ? `"@kept${kept.push(field) - 1}":0` : field,
  );
  if (kept.length === 0) return redact(line);
  return redact(without).replace(KEPT, (mark, at: string) => kept[Number(at)] ?? mark);
}
