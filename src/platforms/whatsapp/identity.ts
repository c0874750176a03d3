// Who somebody is on WhatsApp: a phone number with its country code, in digits as WhatsApp writes them, or the id that
// WhatsApp gives to people who hide their number. Whatever way a number is written, it is one identity. Pure.
import { z } from 'zod';
import type { Kind } from '../../base/setting.ts';

/** What a payload says about somebody; one of the two at least. */
export interface WireIds {
  /** Digits, the country code first. */
  readonly phone?: string;
  /** Belongs to one person at one business, such as `US.13491208655302741918`. */
  readonly userId?: string;
}

const DIGITS = /^[1-9]\d{6,14}$/;
const USER_ID = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/;
/** As libraries for personal accounts write an id without a number. */
const LINKED_ID = /^\d{5,32}@lid$/;
const PHONE_SUFFIX = /@(?:s\.whatsapp\.net|c\.us)$/;
const PREFIX = 'whatsapp:';

export function isPhone(id: string): boolean {
  return DIGITS.test(id);
}

export function isWireUserId(id: string): boolean {
  return USER_ID.test(id) || LINKED_ID.test(id);
}

/** The identity that somebody means by `+49 170 1234567`, `0049170…` or `US.1349…`; undefined when it is none. */
export function identityOf(written: string): string | undefined {
  const text = written.trim();
  if (text.startsWith(PREFIX)) {
    const id = identityOf(text.slice(PREFIX.length));
    return id === undefined ? undefined : PREFIX + id;
  }
  if (isWireUserId(text)) return text;
  // In `+49 (0)170` the zero is for callers within the country.
  const digits = text
    .replace(PHONE_SUFFIX, '')
    .replace(/\(0\)/, '')
    .replace(/[\s().\-/\u00a0\u2010-\u2013]/g, '')
    .replace(/^(?:\+|00)/, '');
  return isPhone(digits) ? digits : undefined;
}

/** Identities of an allowlist; a number without its country code is refused, because it could be anybody's. */
export function identity(): Kind<string> {
  const accepts = 'phone numbers with their country code, such as `+49 170 1234567`';
  const schema = z.string().transform((written, context) => {
    const id = identityOf(written);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message: accepts });
    return z.NEVER;
  });
  return { schema, accepts, fromText: text => text };
}
