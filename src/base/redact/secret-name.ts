// Whether a name, of a variable, a field or a flag, says that its value is a secret. Redaction and the warning about
// forwarded variables share this judgement.
import { wordSet } from './word-set.ts';

/** `certain`: any real value is a secret. `likely`: only a value that looks random is one. */
export type NameStrength = 'certain' | 'likely' | 'no';

const SECRET_WORDS: ReadonlySet<string> = wordSet(
  'password passwd passphrase passcode pwd pass secret token apikey credential authorization pat ' +
    'mnemonic jwt accesskey secretkey privatekey authkey pw psk passwort kennwort',
);
/** Words that end one written without a border, such as `PGPASSWORD` or `accesstoken`. */
const SECRET_ENDING =
  /(?:password|passwort|kennwort|passwd|passphrase|secret|token|apikey|secretkey|accesskey|privatekey|accountkey|authkey|credential)$/;
const PASS_ENDING = /^(?:db|ssh|user|my|root|admin|smtp|mail|ftp|ldap|pg|mysql|redis)(?:pass|pwd|pw)$/;
const LIKELY_WORDS: ReadonlySet<string> = wordSet(
  'passwords secrets tokens credentials apikeys keys auth session sessionid cookie signature sig sid ' +
    'creds cred dsn webhook otp seed hmac salt',
);
/** What makes a key a secret one; a primary, public or cache key is none. */
const KEY_OWNERS: ReadonlySet<string> = wordSet(
  'api access secret private encryption signing master auth service account role deploy admin storage ' +
    'app application client bot license license subscription integration shared webhook session server ' +
    'decryption restricted write ingest user openai anthropic stripe datadog dd sendgrid mailgun azure ' +
    'twilio root gemini ssh rsa hmac jwt vault unseal aes sa cookie',
);
/** Tokens that are no credentials: of a language model, a parser, a page of results. */
const TOKEN_OWNERS: ReadonlySet<string> = wordSet(
  'max min next page continuation sync pad eos bos unk cls sep mask per special stop start end first ' +
    'last num cancel cancellation image input output prompt completion total current abort unexpected ' +
    'invalid design color pagination cursor resume change idempotency by n target new prev previous each ' +
    'lookahead',
);
/** Words after the telling one that change nothing: `TOKEN_PROD`, `PASSWORD_2`, `SECRET_KEY_BASE`. */
const NEUTRAL_ENDINGS: ReadonlySet<string> = wordSet(
  'prod production staging stage dev test live base value old new main primary secondary backup b64 base64 ' +
    'default raw plain plaintext sandbox current next local ro rw admin confirm confirmation again override',
);

/** Last words of variables that are secrets, though behind such a name in a text there mostly is none. */
const FORWARDED_ENDING: ReadonlySet<string> = wordSet(
  'credentials secrets passwords creds cookie dsn auth webhook jwt bearer sk kubeconfig netrc',
);
/** Anywhere in the name of a variable, unless the last word says that it is about a secret and none itself. */
const TELLING_WORDS: ReadonlySet<string> = wordSet(
  'password passwd passphrase secret token apikey credential credentials webhook jwt bearer kubeconfig',
);
const ABOUT_A_SECRET: ReadonlySet<string> = wordSet(
  'name file path dir folder url uri endpoint host port issuer audience algorithm alg count limit length ' +
    'size type ttl expiry expires expiration timeout lifetime seconds minutes hours days min max enabled ' +
    'disabled prefix suffix header policy field format version parallelism store backend provider mode arn ' +
    'manager santa rotation budget rate usage',
);
/** Services whose address has a password in it. */
const WITH_LOGIN: ReadonlySet<string> = wordSet(
  'database db sql jdbc redis mongo mongodb postgres postgresql pg mysql mariadb amqp rabbitmq cloudamqp ' +
    'broker celery elasticsearch clickhouse snowflake cassandra smtp ldap webhook connection',
);

/**
 * Whether forwarding the variable of this name would probably forward a secret. Wider than what redaction goes by: a
 * warning too many costs a glance.
 */
export function looksLikeSecretName(name: string): boolean {
  const words = wordsOf(name);
  if (strengthOf(words) === 'certain') return true;
  const last = words.at(-1) ?? '';
  if (FORWARDED_ENDING.has(last)) return true;
  if (last === 'url' || last === 'uri') return words.some(word => WITH_LOGIN.has(word));
  const all = words.join('_');
  if (/(?:^|_)(?:access_key_id|connection_string|conn_str|auth_config|auth_json)$/.test(all)) return true;
  if (last === 'keys') return strengthOf(words) === 'likely';
  return !ABOUT_A_SECRET.has(last) && words.some(word => TELLING_WORDS.has(word));
}

export function nameStrength(name: string): NameStrength {
  return strengthOf(wordsOf(name));
}

/** A name as redaction goes by it. */
export interface Name {
  readonly text: string;
  readonly words: readonly string[];
  readonly strength: NameStrength;
  /** What a secret of that name is called. */
  readonly kind: string;
}

export function readName(name: string): Name {
  const words = wordsOf(name);
  const strength = strengthOf(words);
  return { text: name, words, strength, kind: strength === 'no' ? '' : kindOf(words.join('_')) };
}

function kindOf(words: string): string {
  if (/pass|pwd|_pw$|^pw$|psk$|kennwort/.test(words)) return 'password';
  if (/token|jwt|_pat$/.test(words)) return 'token';
  return /key/.test(words) ? 'key' : 'secret';
}

/** `clientSecret`, `CLIENT_SECRET` and `client-secret` are the same two words. */
function wordsOf(name: string): string[] {
  const words: string[] = [];
  let start = 0;
  for (let at = 0; at <= name.length; at++) {
    const isPart = isLetterOrDigit(name.charCodeAt(at));
    if (isPart && !isWordBorder(name, at)) continue;
    if (at > start) words.push(name.slice(start, at).toLowerCase());
    start = isPart ? at : at + 1;
  }
  return words;
}

/** A capital after a small letter or a digit, or before a small one and after a capital: `clientSecret`, `APIKey`. */
function isWordBorder(name: string, at: number): boolean {
  if (!isCapital(name.charCodeAt(at))) return false;
  const before = name.charCodeAt(at - 1);
  if (isCapital(before)) return isSmall(name.charCodeAt(at + 1));
  return isLetterOrDigit(before);
}

function isCapital(unit: number): boolean {
  return unit >= 65 && unit <= 90;
}

function isSmall(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

function isLetterOrDigit(unit: number): boolean {
  return isSmall(unit) || isCapital(unit) || (unit >= 48 && unit <= 57);
}

function isNeutral(word: string): boolean {
  return NEUTRAL_ENDINGS.has(word) || /^v?\d+$/.test(word);
}

function strengthOf(words: readonly string[]): NameStrength {
  let end = words.length;
  while (end > 1 && isNeutral(words[end - 1] ?? '')) end--;
  const last = (words[end - 1] ?? '').replace(/(?<=[a-z]{3})\d+$/, '');
  const before = words[end - 2] ?? '';
  if (last === 'token' || last === 'tokens') {
    if (TOKEN_OWNERS.has(before)) return 'no';
    return last === 'token' ? 'certain' : 'likely';
  }
  // `PASS: some test` is the commonest line of all.
  if (last === 'pass' && before === '') return 'likely';
  if (last === 'pat' || last === 'jwt') return before === '' ? 'likely' : 'certain';
  if (last === 'key')
    return KEY_OWNERS.has(before) ? 'certain' : words.length > 1 ? keyByOwner(before) : 'no';
  if (last === 'signature' && /^(?:amz|goog|aws)$/.test(before)) return 'certain';
  if (last === 'id' && before === 'secret') return 'likely';
  if (SECRET_WORDS.has(last) || PASS_ENDING.test(last)) return 'certain';
  if (LIKELY_WORDS.has(last)) return last === 'keys' && !KEY_OWNERS.has(before) ? 'no' : 'likely';
  return SECRET_ENDING.test(last) ? 'certain' : 'no';
}

const HARMLESS_KEY_OWNER =
  /^(?:public|pub|primary|foreign|partition|sort|cache|row|index|hash|object|map|config|i18n|react|the|a|this|dict|unique|lookup|translation|group|arrow|hot|short|enter|any|parent|candidate|composite|natural|host|registry|s3|file|idempotency|json|yaml|column|field|sorting|join|dedup|routing|message|event|query|data|storage|issue|project|host)$/;

/** `FOO_KEY` may be a secret: when its value looks random it is taken for one. */
function keyByOwner(owner: string): NameStrength {
  return HARMLESS_KEY_OWNER.test(owner) ? 'no' : 'likely';
}
