// The values that must never get out, in every form in which programs write them.
import { shellQuote } from '../shell-quote.ts';
import { wordSet } from './word-set.ts';

/** Shorter ones, such as a port, are in too many harmless texts. */
const SHORTEST = 6;
/** A line of a value of several lines, or a form that is only a part of the value, must be longer to be telling. */
const SHORTEST_LINE = 16;

const TRIVIAL: ReadonlySet<string> = wordSet(
  'enabled disabled default localhost production development staging testing undefined password secret ' +
    'redacted string manual always warning example changeme hermes 123456 1234567 12345678 123456789 ' +
    '1234567890 127.0.0.1 0.0.0.0 http:// https://',
);

/** Whether a value can be told from ordinary text: not short, not a common word, not one character repeated. */
export function isTelling(value: string): boolean {
  const trimmed = value.trim();
  if (trimmed.length < SHORTEST || TRIVIAL.has(trimmed.toLowerCase())) return false;
  return !/^(.)\1*$/s.test(trimmed) && !/^\d{1,6}$/.test(trimmed);
}

/**
 * The value itself, quoted for JSON, shells, HTML and URLs, in base64 and base32 at every alignment, in base64 of base64,
 * and in hexadecimal.
 */
export function formsOf(value: string): string[] {
  const whole = [value, value.trim()];
  const lines = value.includes('\n') ? value.split(/\r?\n/).map(line => line.trim()) : [];
  const telling = lines.filter(line => line.length >= SHORTEST_LINE && !line.startsWith('-----'));
  const forms = new Set<string>();
  for (const one of [...whole, ...telling]) {
    for (const form of [one, ...quotedForms(one), ...urlForms(one)]) forms.add(form);
  }
  for (const encoded of [base64Forms, base64Twice, base32Forms, hexForms]) {
    for (const form of encoded(value.trim())) forms.add(form);
  }
  return [...forms].filter(form => form.length >= SHORTEST);
}

/** Those forms of a value that programs break into lines: as it is, in base64 and in hexadecimal. */
export function wrappedForms(value: string): string[] {
  const whole = value.trim();
  const forms = [whole, ...base64Forms(whole).slice(0, 5), ...hexForms(whole)];
  return [...new Set(forms)].filter(form => form.length >= SHORTEST);
}

function quotedForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(
    /[^\x20-\x7e]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const html = value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return [
    json,
    ascii,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    html,
    html.replaceAll("'", '&#39;'),
    html.replaceAll("'", '&#x27;'),
    // Inside the quotes that the word gets.
    shellQuote(value).replace(/^'(.*)'$/s, '$1'),
    value.replaceAll("'", `'"'"'`),
    value.replaceAll("'", "\\'"),
    value.replaceAll(/["$`\\]/g, '\\$&'),
    value.replaceAll(/[^A-Za-z0-9_@%+=:,./-]/g, '\\$&'),
    value.replaceAll(/[^A-Za-z0-9_@%+=:./-]/g, '\\$&'),
  ];
}

function urlForms(value: string): string[] {
  // Half a surrogate pair has no encoding.
  const encoded = encodeURIComponent(value.toWellFormed());
  const strict = encoded.replace(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  const forms = [encoded, strict, encodeURI(value.toWellFormed()), strict.replaceAll('%20', '+')];
  return [...forms, ...forms.map(form => form.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase()))];
}

/** Inside a longer base64 text a value begins at one of three bits; the letters it shares with its neighbours are left out. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const whole = bytes.toString('base64');
  const forms = [whole, whole.replace(/=+$/, '')];
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor((shifted.length * 8) / 6);
    forms.push(shifted.toString('base64').slice(first, last));
  }
  return [...forms, ...forms.map(form => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** As `base64 | base64` writes it, where nothing stood before the value. */
function base64Twice(value: string): string[] {
  const inner = Buffer.from(value, 'utf8').toString('base64');
  const whole = inner.slice(0, Math.floor((Buffer.byteLength(value) * 8) / 6));
  return whole.length < SHORTEST_LINE ? [] : base64Forms(whole);
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Inside a longer text a value begins at one of five bits; the letters it shares with its neighbours are left out. */
function base32Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const forms = [0, 1, 2, 3, 4].map(shift => {
    const shifted = [...Buffer.alloc(shift), ...bytes];
    const bits = shifted.map(byte => byte.toString(2).padStart(8, '0')).join('');
    const letters = (bits.match(/.{5}/g) ?? []).map(five => BASE32.charAt(Number.parseInt(five, 2)));
    return letters.slice(Math.ceil((shift * 8) / 5)).join('');
  });
  return forms.flatMap(form => [form, form.toLowerCase()]);
}

function hexForms(value: string): string[] {
  const hex = Buffer.from(value, 'utf8').toString('hex');
  return [hex, hex.toUpperCase()];
}
