// Values behind a name that says "secret": in JSON, YAML, INI, environments, query strings, headers and flags.
import { type Field, fieldAround, LONGEST_VALUE, readValue, type Value } from './field.ts';
import { isCode, isDigest, isPlaceholder, isProse, isScrambled, looksRandom } from './placeholder.ts';
import { nameStrength, wordsOf } from './secret-name.ts';
import { RANK, type Shape, type Span } from './shape.ts';

/** Every name that counts has one of these in it. */
const ANCHORS: readonly string[] =
  'token secret pwd pass _pw key credential auth cookie _pat jwt mnemonic creds session signature _sid dsn webhook otp seed salt psk kennwort'.split(
    ' ',
  );

const BARE_TAIL = /[^\s"'`,;&<>|(){}[\]\\]*/y;
const QUOTED_TAIL = /[^\r\n"'`]*/y;
/** What stands behind a quote that ended a text instead of beginning one. */
const AFTER_QUOTE = /^[,)+;.]?[ \t]|^[,);.]+$|^\)[.;,]/;

export const assignments: readonly Shape[] = [
  { anchors: ANCHORS, letters: 'any-case', find: findAssignment },
];

function findAssignment(text: string, at: number): readonly Span[] {
  const field = fieldAround(text, at);
  if (!field) return [];
  const value = readValue(text, field);
  if (!value || !isSecretValue(field, value)) return [];
  const { start, end, quote } = value;
  const isCut = end - start >= LONGEST_VALUE;
  return [
    {
      start,
      end,
      kind: kindOf(field.name),
      rank: RANK.named,
      ...(isCut ? { tail: quote ? QUOTED_TAIL : BARE_TAIL } : {}),
    },
  ];
}

function isSecretValue({ name, strength, separator, isLine }: Field, { text, quote, line }: Value): boolean {
  if (text.length < 4 || isPlaceholder(text) || (quote !== '' && AFTER_QUOTE.test(text))) return false;
  const words = wordsOf(name);
  if (separator === 'gap') return strength === 'certain' && standsAlone(text, line, isLine);
  // A comparison, or a name that only might be a secret's, takes a value that cannot be anything else.
  if (strength === 'likely' || separator.startsWith('==') || separator.startsWith('::')) {
    return isLikelySecret(words, text, { separator, quote });
  }
  if (/^[\d.,:%]+$/.test(text)) return isNumberSecret(words, text, separator, quote);
  if (isEchoOfName(text)) return false;
  const isPhrase = /^(?:passphrase|mnemonic|seed)$/.test(words.at(-1) ?? '');
  if (quote !== '' && isTemplate(text)) return false;
  if (quote !== '' && separator === '=') return isPhrase || text.split(' ').length < 4 || !isProse(text);
  if (quote !== '')
    return isPhrase || !(isProse(text) || /[ \t]{2,}|\n/.test(text) || /^[A-Z][a-z]+ .*[ .?!]/.test(text));
  if (isCode(line) || isCode(text) || isTemplate(text)) return false;
  // An arrow leads to code; behind a colon two capitalised words are a type.
  if (separator.endsWith('=>') || (separator === ':' && /^(?:[A-Z][a-z]+){2,}[;,)]*$/.test(text)))
    return false;
  if (/^[A-Za-z][a-z]*[.,:;!?]?$/.test(text)) return isPlainWordSecret(text, { line, isLine, separator });
  return true;
}

/** Behind a mere space: letters and digits that end the line of the name, or that nobody would write by hand. */
function standsAlone(text: string, line: string, isLine: boolean): boolean {
  if (text.length >= 20 && isScrambled(text)) return true;
  const isMixed = /\d/.test(text) && /[A-Za-z]/.test(text) && text.length >= 6;
  if (!isMixed || isCode(text) || isDigest(text)) return false;
  const isAll = isLine && line.trim() === text && !/^[a-z]+-?\d+$|[.:]/i.test(text.replace(/[.:]$/, ''));
  return isAll || (looksRandom(text) && text.length >= 20 && /[a-z]/.test(text) && /[A-Z]/.test(text));
}

/** Put together when a program runs. */
function isTemplate(text: string): boolean {
  return /\$\{|#\{|\{\{|<%/.test(text);
}

/** Letters alone, without quotes: a weak password, a variable or a sentence. */
function isPlainWordSecret(
  text: string,
  { line, isLine, separator }: { line: string; isLine: boolean; separator: string },
): boolean {
  const rest = line.slice(text.length).trim();
  if (separator === ' ' || (separator === '=' && (isLine || rest === '' || /^[&;]/.test(rest)))) {
    return !/^[;,)]/.test(rest) || text.length >= 8;
  }
  return rest === '' && isLine && !/[.,:;!?]$/.test(text);
}

function isLikelySecret(
  words: readonly string[],
  text: string,
  { separator, quote }: { separator: string; quote: string },
): boolean {
  if (words.at(-1) === 'pass' && separator === '=')
    return !/^(?:\d+|[a-z]{1,5})$/i.test(text) && !isCode(text);
  if (words.at(-1) === 'pass' && quote !== '')
    return /[^A-Za-z ]/.test(text) && text.length >= 6 && !isProse(text);
  // A header of cookies has names in it; they are looked at one by one.
  if (words.at(-1) === 'cookie' && text.includes('=')) return false;
  return looksRandom(text) && !isDigest(text) && !isCode(text);
}

/** Counts and identifiers of tokens are numbers too; a password of digits alone is one only where it must be. */
function isNumberSecret(words: readonly string[], text: string, separator: string, quote: string): boolean {
  const isPassword = /pass|pwd|^pw$|psk|kennwort/.test(words.at(-1) ?? '');
  return isPassword && /^\d{4,}$/.test(text) && (quote !== '' || separator === '=' || separator === ' ');
}

/** `password=password`, `token: access_token`: the value names a place, not a secret. */
function isEchoOfName(text: string): boolean {
  const bare = text.replace(/[),;]+$/, '');
  return /^[A-Za-z_ -]+$/.test(bare) && nameStrength(bare.replaceAll(' ', '_')) !== 'no';
}

function kindOf(name: string): string {
  const last = wordsOf(name).join('_');
  if (/pass|pwd|_pw$|^pw$|psk$|kennwort/.test(last)) return 'password';
  if (/token|jwt|_pat$/.test(last)) return 'token';
  return /key/.test(last) ? 'key' : 'secret';
}
