// P1 at the doors that listen: the page, its cookie, and webhooks.
import type { Mutation } from './mutation.ts';

const WEB = 'test/integration/platforms/web.test.ts';
const LOGINS = { promise: 'P1', file: 'src/platforms/web/logins.ts', testFile: WEB } as const;
const SERVER = { promise: 'P1', file: 'src/platforms/web/server.ts', testFile: WEB } as const;
const WEBHOOK = {
  promise: 'P1',
  file: 'src/platforms/whatsapp/server.ts',
  testFile: 'test/integration/platforms/whatsapp.test.ts',
} as const;
const LOGIN_TEST = 'works once, for ten minutes, and becomes a cookie that scripts cannot read';
const SECRET_TEST = 'outlives the gateway where there is a secret, and ends with it or with another secret';

export const doors: readonly Mutation[] = [
  {
    ...LOGINS,
    name: 'scripts of a page can read the cookie',
    old: ' HttpOnly;',
    new: '',
    tests: [LOGIN_TEST],
  },
  {
    ...LOGINS,
    name: 'other sites send the cookie along',
    old: ' SameSite=Strict;',
    new: '',
    tests: [LOGIN_TEST],
  },
  {
    ...LOGINS,
    name: 'a forged cookie counts',
    old: '    if (!isSame(signature, this.#sign(body))) return undefined;\n',
    new: '',
    tests: ['get no socket %s', SECRET_TEST],
  },
  {
    ...LOGINS,
    name: 'a cookie never expires',
    old: 'Number(until) > this.#clock.now() ?',
    new: 'Number(until) > 0 ?',
    tests: [SECRET_TEST],
  },
  {
    ...LOGINS,
    name: 'a login link works twice',
    old: '    this.#waiting.delete(key);\n    const body',
    new: '    const body',
    tests: [LOGIN_TEST],
  },
  {
    ...LOGINS,
    name: 'a login link never expires',
    old: ' || found.expiresAt <= this.#clock.now()',
    new: '',
    tests: [LOGIN_TEST],
  },
  {
    ...LOGINS,
    name: 'the password of the page can be guessed without end',
    old: '      if (found.tries >= MOST_TRIES) this.#waiting.delete(key);\n',
    new: '',
    tests: ['is asked for besides the link, and five wrong ones end the link'],
  },
  {
    ...LOGINS,
    file: 'src/platforms/web/login-page.ts',
    name: 'the cookie of a page with TLS travels without it',
    old: "? '; Secure' : ''",
    new: "? '' : ''",
    tests: ['gives a cookie that goes nowhere without TLS to whoever came by a name with TLS'],
  },
  {
    ...SERVER,
    name: 'the page answers under the name of another site',
    old: 'if (!origins.isHost(request.headers.host)) return end',
    new: 'if (request.headers.host === undefined) return end',
    tests: ['read nothing under a name of their own that leads here'],
  },
  {
    ...SERVER,
    name: 'a page of another site uploads files',
    old: 'isChange && !origins.isOrigin(request.headers.origin)',
    new: "isChange && request.headers.origin === 'null'",
    tests: ['cannot upload from another page, too much, or what belongs to somebody else'],
  },
  {
    ...SERVER,
    name: 'a page of another site opens the socket',
    old: 'origins.isHost(request.headers.host) && origins.isOrigin(request.headers.origin)',
    new: 'origins.isHost(request.headers.host)',
    tests: ['get no socket %s'],
  },
  {
    ...SERVER,
    name: 'the cookie of a removed person still counts',
    old: 'person !== undefined && (await isWelcome(person)) ? person : undefined',
    new: 'person',
    tests: ['is logged out: of files, pages, the socket and what it shows'],
  },
  {
    ...WEBHOOK,
    name: 'a webhook with a wrong signature is believed',
    old: '!isSigned(body, headerOf(request), options.appSecret)',
    new: 'headerOf(request) === undefined',
    tests: ['refuses %s with 401, and nothing happens'],
  },
  {
    ...WEBHOOK,
    name: 'anybody can set up the webhook',
    old: " && isSame(query.get('hub.verify_token') ?? '', verifyToken)",
    new: '',
    tests: ['is set up by whoever knows the word, and by nobody else'],
  },
];
