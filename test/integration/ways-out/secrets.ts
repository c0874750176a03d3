// The values that must not get out, as they are planted, and a text that tries to carry all of them out at once.

/** In `.env`: the key of the model's provider. */
export const KEY = 'lantern-quarry-5f0c71e29d';
/** In `.env`: the token of the bot. */
export const TOKEN = '700001:AAdouble-of-a-token_for-tests-000000';
/** A variable of the gateway that is forwarded to sandboxes. */
export const FORWARDED = 'harbour-violet-83be14a6c0';
/** Nobody has configured it: only its shape tells what it is. */
const SHAPED = `ghp_${'a8Kd03Lq'.repeat(4)}Zr5T`;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** Every form that is written somewhere; none needs quoting in a shell. */
const FORMS: readonly string[] = [
  ...[KEY, base64(KEY), hex(KEY)],
  ...[TOKEN, base64(TOKEN)],
  ...[FORWARDED, hex(FORWARDED)],
  SHAPED,
];

/** Says its name first, so that it is found where it has arrived. */
export function spill(name: string): string {
  return [mark(name), ...FORMS].join(' ');
}

/** Without what only its shape tells. */
export function knownSpill(name: string): string {
  return spill(name).replace(SHAPED, '');
}

/** The same for names of files and people, which are short. */
export function shortSpill(name: string): string {
  return `${mark(name)}_${KEY}`;
}

function mark(name: string): string {
  return `way-${name}:`;
}

/** How a spill looks after redaction; marks in names of files have no brackets. */
export function isRedactedIn(text: string, name: string): boolean {
  return new RegExp(`${mark(name)}[ _]\\[?redacted[:-]`).test(text);
}

/** Letters at either end that give a value away although the rest was cut off. */
const TELLING = 12;

/** What of the planted values stands in the text, whole or cut. */
export function secretsIn(text: string): readonly string[] {
  return FORMS.filter(form => text.includes(form.slice(0, TELLING)) || text.includes(form.slice(-TELLING)));
}
