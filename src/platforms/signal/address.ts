// Who somebody is on Signal: a number, an account id (a UUID), or both, and one person all the same. Pure.
import { z } from 'zod';

export interface SignalAddress {
  readonly number?: string;
  /** In lower case. */
  readonly uuid?: string;
}

/** Our own account. */
export type Account = SignalAddress;

const NUMBER = /^\+[1-9]\d{4,14}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What the daemon says of somebody; what is neither a number nor an id is left out. */
export function addressOf(...said: readonly (string | null | undefined)[]): SignalAddress {
  const number = said.find(each => typeof each === 'string' && NUMBER.test(each));
  const uuid = said.find(each => typeof each === 'string' && UUID.test(each))?.toLowerCase();
  return { ...(number ? { number } : {}), ...(uuid ? { uuid } : {}) };
}

/** Whether both name one person; who has both ids is known by the account id alone, since numbers change hands. */
export function isSame(one: SignalAddress, other: SignalAddress): boolean {
  if (one.uuid !== undefined && other.uuid !== undefined) return one.uuid === other.uuid;
  return one.number !== undefined && one.number === other.number;
}

/** The id that somebody means by `+49 151 1234567` or an account id in capitals; undefined when it is none. */
export function identityOf(written: string): string | undefined {
  const text = written.trim();
  const [, prefix = '', rest = ''] = /^(signal:)?(.*)$/s.exec(text) ?? [];
  const { number, uuid } = addressOf(rest.replace(/[\s().\-/\u00a0\u2010-\u2013]/g, ''), rest);
  const id = uuid ?? number;
  return id === undefined ? undefined : prefix + id;
}

export const textOrNone = z.string().nullish();
