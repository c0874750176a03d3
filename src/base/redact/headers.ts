// Secrets in what programs say to each other: headers, cookies, addresses with a password.
import { isDigest, isPlaceholder, looksRandom } from './placeholder.ts';
import { isWordStart, RANK, type Shape, type Span } from './shape.ts';
import { matchAt } from './sticky.ts';

const VALUE_TAIL = /[\w+/=.~%:-]*/y;
/** So much of a value is judged. */
const JUDGED = 200;
/** Of a look, in steps. */
const PRICE = 700;

const SCHEME = /(?:bearer|basic)(?:[ \t]{1,4}|%20|\+)["']?([A-Za-z0-9._~+/=%:-]{6,200})/iy;

const schemes: Shape = {
  anchors: ['bearer', 'basic'],
  letters: 'any-case',
  find(text, at, scan) {
    const next = text.charAt(at + (text.charAt(at + 1).toLowerCase() === 'e' ? 6 : 5));
    if (!' \t%+'.includes(next) || !isWordStart(scan, at)) return [];
    const [whole, value = ''] = matchAt(SCHEME, text, at) ?? [];
    if (whole === undefined) return [];
    scan.spend(PRICE + 8 * value.length);
    if (isPlaceholder(value)) return [];
    const isBasic = /^basic/i.test(whole);
    if (isBasic ? !isBasicLogin(value) : !isBearerToken(value)) return [];
    const end = at + whole.length;
    const kind = isBasic ? 'basic-auth' : 'bearer-token';
    return [{ start: end - value.length, end, kind, rank: RANK.spoken, tail: VALUE_TAIL }];
  },
};

/** A name and a password in base64; nothing else that follows the word "basic" decodes to that. */
function isBasicLogin(value: string): boolean {
  const text = Buffer.from(value.slice(0, JUDGED), 'base64').toString('latin1');
  return /^[\x20-\x39\x3b-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/.test(text);
}

/** "Bearer token" and "bearer authentication" are words; a token has a digit, or is too long for a word. */
function isBearerToken(value: string): boolean {
  const isWord = /^[A-Za-z]+[.,:;]?$/.test(value) && value.length < 20;
  return (
    !isWord && (value.length >= 16 || /\d/.test(value)) && !/^[a-z]+(?:[-_.][a-z]+)*[.,:]?$/i.test(value)
  );
}

const COOKIES = /cookies?["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([^\r\n]{3,4000})/iy;
const MAY_FOLLOW_COOKIE = /[s"' \t:=]/i;
const COOKIE = /(?:^|[;,][ \t]{0,40}|["' ])([\w.!#$%&*+^|~-]{1,100})=("?)([^;,"'\s\\]{6,4000})/g;
const SESSION_NAME =
  /sess|(?:^|[._-])s?sid$|(?:^|[^a-z])sid(?:$|[^a-z])|auth|token|jwt|remember|login|csrf|xsrf|secret|credential|identity|^SID|PSID|^(?:user|u)_?key$|^cf_clearance$|^li_at$|^c_user$|^xs$/i;

const cookies: Shape = {
  anchors: ['cookie'],
  letters: 'any-case',
  find(text, at, scan) {
    if (!MAY_FOLLOW_COOKIE.test(text.charAt(at + 6))) return [];
    const [whole, line = ''] = matchAt(COOKIES, text, at) ?? [];
    if (whole === undefined) return [];
    // All that follows in the line is looked at now.
    scan.setDone(cookies, at + whole.length);
    scan.spend(PRICE + 4 * line.length);
    const from = at + whole.length - line.length;
    return [...line.matchAll(COOKIE)].flatMap(({ 0: pair, 1: name = '', 3: value = '', index }): Span[] => {
      if (!SESSION_NAME.test(name) || isPlaceholder(value)) return [];
      const end = from + index + pair.length;
      return [{ start: end - value.length, end, kind: 'cookie', rank: RANK.spoken }];
    });
  },
};

/** Of our own pages, also as a jar of cookies has it. */
const OWN_COOKIE = /hermes_web["']?[ \t]{0,4}[=:\t][ \t]{0,4}["']?([\w%.+/~-]{16,200})/y;

const ownCookies: Shape = {
  anchors: ['hermes_web'],
  letters: 'exact',
  find(text, at, scan) {
    const [whole, value = ''] = matchAt(OWN_COOKIE, text, at) ?? [];
    if (whole === undefined) return [];
    scan.spend(PRICE);
    const end = at + whole.length;
    return [{ start: end - value.length, end, kind: 'cookie', rank: RANK.spoken, tail: VALUE_TAIL }];
  },
};

const SESSION_COOKIE =
  /(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]{0,8}|ASP\.NET_SessionId|connect\.sid|laravel_session|_session_id|sessionid)=([\w%.+/~-]{12,200})/y;

const sessionCookies: Shape = {
  anchors: [
    'PHPSESSID=',
    'JSESSIONID=',
    'ASPSESSIONID',
    'ASP.NET_S',
    'connect.sid=',
    'laravel_s',
    '_session_id=',
    'sessionid=',
  ],
  letters: 'exact',
  find(text, at, scan) {
    const [whole, value = ''] = matchAt(SESSION_COOKIE, text, at) ?? [];
    if (whole === undefined) return [];
    scan.spend(PRICE);
    if (isPlaceholder(value)) return [];
    const end = at + whole.length;
    return [{ start: end - value.length, end, kind: 'cookie', rank: RANK.spoken, tail: VALUE_TAIL }];
  },
};

const LOGIN = /:\/\/([^\s/?#@:"'<>\\`(){}]{0,200}):([^\s/?#"'<>\\`]{1,256})@(?=[\w.[$-])/y;
const ENCODED_LOGIN =
  /:\/\/([^\s/?#@:"'<>\\`]{0,200}):([^\s?#@"'<>\\`]{1,256})@(?=[\w.-]{1,253}(?::\d{1,5})?(?:[/?\s"']|$))/y;
const KEY_ONLY = /:\/\/([\w%.~-]{20,400})@(?=[\w.-])/y;

/** Every one of them has this mark within so many characters. */
const AT = /@/g;
const LONGEST_LOGIN = 470;

const urls: Shape = {
  anchors: ['://'],
  letters: 'exact',
  find(text, at, scan) {
    if (!/[A-Za-z]/.test(text.charAt(at - 1)) || !scan.nextMatch(AT, at, LONGEST_LOGIN)) return [];
    scan.spend(PRICE);
    return loginIn(LOGIN, text, at) ?? loginIn(ENCODED_LOGIN, text, at) ?? keyIn(text, at);
  },
};

function loginIn(pattern: RegExp, text: string, at: number): readonly Span[] | undefined {
  const [whole, , password = ''] = matchAt(pattern, text, at) ?? [];
  if (whole === undefined || whole.startsWith('://[redacted:')) return undefined;
  // `http://host:8080/@x` has a port there.
  if (/^\d{1,5}\//.test(password)) return undefined;
  if (/^(?:\$|\{|%\w*%?$|[*•x]+$|<|\[redacted)/i.test(password)) return [];
  const end = at + whole.length - 1;
  return [{ start: end - password.length, end, kind: 'url-password', rank: RANK.spoken }];
}

/** A token as the user: `https://TOKEN@host`. */
function keyIn(text: string, at: number): readonly Span[] {
  const value = matchAt(KEY_ONLY, text, at)?.[1] ?? '';
  if (!looksRandom(value) && !isDigest(value)) return [];
  return [{ start: at + 3, end: at + 3 + value.length, kind: 'url-password', rank: RANK.spoken }];
}

export const headers: readonly Shape[] = [schemes, cookies, ownCookies, sessionCookies, urls];
