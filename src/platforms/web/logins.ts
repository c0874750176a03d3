// Who is at the other end: a link that works once becomes a signed cookie. Nothing is kept but links that wait.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { personName } from './protocol.ts';

const LINK_LIFE_MS = 10 * 60_000;
const LOGIN_LIFE_MS = 30 * 86_400_000;
const MOST_LINKS = 100;
/** Wrong passwords, after which a link is worth nothing. */
const MOST_TRIES = 5;
const COOKIE = 'hermes_web';

interface Waiting {
  readonly person: string;
  readonly expiresAt: number;
  tries: number;
}

interface LoginSecrets {
  readonly secret: string | undefined;
  readonly password: string | undefined;
}

export class Logins {
  readonly #clock: Clock;
  readonly #key: Buffer;
  readonly #password: string | undefined;
  readonly #waiting = new Map<string, Waiting>();

  /** Without a secret of the operator's, logins end with this process. With a password a link alone lets nobody in. */
  constructor(clock: Clock, { secret, password }: LoginSecrets) {
    this.#clock = clock;
    this.#password = password;
    this.#key = secret === undefined ? randomBytes(32) : createHash('sha256').update(secret).digest();
  }

  invite(person: string): { readonly token: string; readonly expiresAt: number } {
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= MOST_LINKS && oldest !== undefined) this.#waiting.delete(oldest);
    const token = randomBytes(24).toString('base64url');
    const expiresAt = this.#clock.now() + LINK_LIFE_MS;
    this.#waiting.set(hash(token), { person, expiresAt, tries: 0 });
    return { token, expiresAt };
  }

  /** What the browser is to keep, or why there is nothing: the link is unknown, used or too old, or the password is wrong. */
  redeem(token: string, password = ''): { readonly cookie: string } | 'no-link' | 'no-password' {
    const key = hash(token);
    const found = this.#waiting.get(key);
    if (!found || found.expiresAt <= this.#clock.now()) return 'no-link';
    if (this.#password !== undefined && !isSame(hash(password), hash(this.#password))) {
      if (password !== '') found.tries += 1;
      if (found.tries >= MOST_TRIES) this.#waiting.delete(key);
      return 'no-password';
    }
    this.#waiting.delete(key);
    const body = `${found.person}:${this.#clock.now() + LOGIN_LIFE_MS}`;
    const value = `${Buffer.from(body).toString('base64url')}.${this.#sign(body)}`;
    const cookie = `${COOKIE}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${LOGIN_LIFE_MS / 1000}`;
    return { cookie };
  }

  /** Whose cookie it is; undefined for none, a forged or an old one. */
  personIn(header: string | undefined): string | undefined {
    const value = (header ?? '')
      .split(';')
      .map(part => part.trim())
      .find(part => part.startsWith(`${COOKIE}=`));
    const [encoded = '', signature = ''] = (value ?? '').slice(COOKIE.length + 1).split('.');
    const body = Buffer.from(encoded, 'base64url').toString();
    if (!isSame(signature, this.#sign(body))) return undefined;
    const [person = '', until = ''] = body.split(':');
    return Number(until) > this.#clock.now() ? personName.safeParse(person).data : undefined;
  }

  #sign(body: string): string {
    return createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
