// Values behind a name that says "secret": in JSON, YAML, INI, environments, query strings, headers and flags.
import { type Field, fieldAround, LONGEST_VALUE, readValue, type Value } from './field.ts';
import {
  isCode,
  isDigest,
  isPlaceholder,
  isPlaceholderMix,
  isPlainMix,
  isProse,
  isRandomWord,
  isScrambled,
  looksRandom,
} from './placeholder.ts';
import type { Scan } from './scan.ts';
import { nameStrength } from './secret-name.ts';
import { RANK, type Shape, type Span } from './shape.ts';
import { withoutEnd } from './text-ends.ts';

/** Every name that counts has one of these in it. */
const ANCHORS: readonly string[] =
  'token secret pwd pass _pw key credential auth cookie _pat jwt mnemonic creds session signature _sid dsn webhook otp seed salt psk kennwort'.split(
    ' ',
  );

const BARE_TAIL = /[^\s"'`,;&<>|(){}[\]\\]*/y;
const QUOTED_TAIL = /[^\r\n"'`]*/y;
/** What stands behind a quote that ended a text instead of beginning one. */
const AFTER_QUOTE = /^[,)+;.]?[ \t]|^[,);.]+$|^\)[.;,]/;

/** Nothing shorter is a secret, the second behind a mere space. */
const [SHORTEST, SHORTEST_ALONE] = [4, 6];
/** Of judging a value, in steps; once for the same name and value. */
const JUDGED_STEPS = 1000;
const PRICE = 250;
/** Judgements about shorter lines are remembered. */
const LONGEST_REMEMBERED = 120;

export const assignments: readonly Shape[] = [
  { anchors: ANCHORS, letters: 'any-case', find: (_, at, scan) => findAssignment(at, scan) },
];

function findAssignment(at: number, scan: Scan): readonly Span[] {
  const field = fieldAround(scan, at);
  if (!field || (field.separator === 'gap' && field.name.strength !== 'certain')) return [];
  const value = readValue(scan, field);
  if (!value || value.text.length < (field.separator === 'gap' ? SHORTEST_ALONE : SHORTEST)) return [];
  scan.spend(PRICE + 2 * value.text.length);
  if (!(isCommonSecret(field, value) ?? isJudgedSecret(scan, field, value))) return [];
  const { start, end, quote } = value;
  const isCut = end - start >= LONGEST_VALUE;
  return [
    {
      start,
      end,
      kind: field.name.kind,
      rank: RANK.named,
      ...(isCut ? { tail: quote ? QUOTED_TAIL : BARE_TAIL } : {}),
    },
  ];
}

/** The judgement about what most secrets look like, letters and digits behind a certain name; undefined about others. */
function isCommonSecret({ name, separator }: Field, { text, quote, line }: Value): boolean | undefined {
  if (name.strength !== 'certain' || (separator !== '=' && separator !== ':')) return undefined;
  if (!isPlainMix(text)) return undefined;
  return !isPlaceholderMix(text) && (quote !== '' || line === text || !isCode(line));
}

/** The same judgement is made again and again. */
function isJudgedSecret(scan: Scan, field: Field, value: Value): boolean {
  const { name, separator } = field;
  const { text, quote, line, isLine } = value;
  const judge = (): boolean => {
    scan.spend(JUDGED_STEPS + 3 * text.length);
    return isSecretValue(field, value);
  };
  if (text.length + line.length > LONGEST_REMEMBERED) return judge();
  const words = `${name.words.join('_')} ${separator} ${isLine ? 1 : 0}${quote} ${text} ${line}`;
  return scan.judged(words, judge);
}

function isSecretValue({ name, separator }: Field, { text, quote, line, isLine }: Value): boolean {
  if (isPlaceholder(text) || (quote !== '' && AFTER_QUOTE.test(text))) return false;
  const { words, strength } = name;
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
  if (words.length === 1 && words[0] === 'key') return isRandomWord(text);
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
  const bare = withoutEnd(text, '),;');
  return /^[A-Za-z_ -]+$/.test(bare) && nameStrength(bare.replaceAll(' ', '_')) !== 'no';
}
