// Whether what stands behind a secret's name is a value at all, or a placeholder, a reference, a type, code or prose.
import { withoutEnd } from './text-ends.ts';
import { wordSet } from './word-set.ts';

const WORDS: ReadonlySet<string> = wordSet(
  'string str text bytes number int integer bool boolean any unknown object null none nil undefined ' +
    'empty required optional true false yes no on off hidden masked redacted removed omitted filtered ' +
    'unset missing invalid expired changeme change-me change_me replaceme replace-me replace_me todo tbd ' +
    'example dummy placeholder enabled disabled default inherit always never self this new await basic ' +
    'bearer digest incorrect correct wrong accepted rejected denied valid found char varchar uuid sha256 ' +
    'sha512 md5 bcrypt argon2 hs256 rs256 function env refresh access identifier keyword operator eof ' +
    'strong weak prompt ask auto',
);

/** `<your-token>`, `{{ token }}`, `${TOKEN}`, `$TOKEN`, `%TOKEN%`, `[redacted]`, `...`: something else belongs there. */
const REFERENCE =
  /^(?:<[^>]*>?$|\{\{|\$[({A-Za-z_]|\$\{\{|\$$|%[A-Za-z_]+%|%[sdv]$|%\(|\[|\{|\(|…|\.{2,}|@[A-Za-z_.]+$|&|!|:[A-Za-z_]+[,;)]*$|#\{|\*[A-Za-z_]+$|(?:op|vault|ssm|file|env|secretsmanager|arn|keyring|gcp|https?|ref):)/;
const MASKED = /^(?:([*x.#_?•●-])\1*|[*x•●.]{3,}.{0,6}|.{0,6}[*•●]{3,}.{0,6}|X+|0+|redacted)$/i;
const HINT =
  /^(?:your|my|the|some|insert|enter|put|add|replace)[-_ ]|(?:[-_ ]|^)(?:here|placeholder|goes[-_]here)$|^example[-_]|[-_]example$|^dummy[-_]|^(?:replace|change)[-_]?(?:me|with)/i;
const CALL_OR_MEMBER =
  /^(?:await[ \t]|new[ \t]|[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*(?:\(|\[["'\w$]+\]?|::)|(?:self|this|process|os|req|res|request|config|settings|args|opts|options|props|state|ctx|context|env|environ|user|data|params|input|event|secrets|vars|var|local|module|each|credentials|body)\??\.[A-Za-z_])/;
const PATH = /^(?:~|\.{1,2})?(?:\/[\w.-]*){1,20}$|^[A-Za-z]:\\|:x:\d+:\d+:/;

/** Nobody writes more where a value belongs. */
const LONGEST_HINT = 200;

/** Also for values inside quotes. */
export function isPlaceholder(value: string): boolean {
  if (value.length > LONGEST_HINT)
    return REFERENCE.test(value.slice(0, LONGEST_HINT)) || /^(.)\1*$/.test(value);
  return (
    WORDS.has(withoutEnd(value.trim().toLowerCase(), '.,;:!?)')) ||
    REFERENCE.test(value) ||
    MASKED.test(value) ||
    HINT.test(value) ||
    (PATH.test(value) && !isScrambled(value))
  );
}

/**
 * Letters and digits of one piece, as most secrets are: no reference, path, code or sentence, though it may still be a
 * word such as `sha256` or a placeholder.
 */
export function isPlainMix(value: string): boolean {
  let [digits, letters] = [0, 0];
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    if (unit >= 48 && unit <= 57) digits++;
    else if ((unit | 0x20) >= 97 && (unit | 0x20) <= 122) letters++;
    else if (!isJoint(unit) || at === 0) return false;
  }
  return digits > 0 && letters > 0;
}

/** `_ - + / =` */
function isJoint(unit: number): boolean {
  return unit === 95 || unit === 45 || unit === 43 || unit === 47 || unit === 61;
}

/** The same as `isPlaceholder` for such a value. */
export function isPlaceholderMix(value: string): boolean {
  return WORDS.has(value.toLowerCase()) || MASKED.test(value) || HINT.test(value);
}

/** For values without quotes: a call, a member, a variable. */
export function isCode(value: string): boolean {
  if (CALL_OR_MEMBER.test(value)) return true;
  // Names joined by dots, without a digit.
  if (/^[A-Za-z_$]+(?:\.[A-Za-z_$]+)+[;,)]*$/.test(value)) return true;
  // A variable of two words, in either spelling; passwords of that form are rarer than variables.
  return /^_?[a-z]+(?:(?:_[a-z]+)+|(?:[A-Z][a-z]+)+)[;,)]*$/.test(value);
}

/** Several words of letters alone: a label or a message, such as `must have 8 characters`. */
export function isProse(value: string): boolean {
  const words = value.trim().split(/[ \t]+/);
  return (
    words.length > 1 &&
    words.every(word => /^[("'“]*(?:[A-Za-z]+(?:['’-][a-z]+)*|\d{1,3})[.,;:!?)"'”]*$/.test(word))
  );
}

/** Long, of one piece, with letters and digits mixed: nothing that anybody would write by hand. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || !/^[\w+/=.~%:-]+$/.test(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return (
    new Set(value).size >= 9 &&
    !/^[\w-]+(?:\.[A-Za-z]{2,6})+$/.test(value) &&
    !/^[a-z]+(?:[-_][a-z]+)*[-_]?\d{1,4}$/i.test(value)
  );
}

/** One piece of capitals, small letters and digits, without a sign that parts words: no name, path or identifier. */
export function isRandomWord(value: string): boolean {
  if (!/^[A-Za-z0-9_+=]{20,}$/.test(value) || (value.match(/\d/g) ?? []).length < 2) return false;
  return isScrambled(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d[A-Za-z]+\d/.test(value));
}

/** Capitals and small letters about as often: no word in any spelling is so. */
export function isScrambled(value: string): boolean {
  const letters = value.replace(/[^A-Za-z]/g, '');
  const share = letters.replace(/[^A-Z]/g, '').length / letters.length;
  return letters.length >= 16 && share > 0.25 && share < 0.75;
}

/** A commit, a checksum or a UUID: also behind a name that only might be a secret's it is left alone. */
export function isDigest(value: string): boolean {
  return /^(?:sha\d+[:-])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(
    value,
  );
}
