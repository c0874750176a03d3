// Random identifiers that survive every place they go: container names, file names, chat buttons, a phone call.
import { randomBytes } from 'node:crypto';

/** 32 symbols, none of which looks like another: no 0 and o, no 1 and i. */
export const ID_ALPHABET = 'abcdefghjklmnpqrstuvwxyz23456789';

export const ID_LENGTH = 16;

/** 80 random bits, lower case: enough that two never meet, short enough for a 64-byte button. */
export function newId(): string {
  return randomCode(ID_LENGTH);
}

/** `length` symbols of the alphabet, each from five random bits. */
export function randomCode(length: number): string {
  return Array.from(randomBytes(length), byte => ID_ALPHABET[byte & 31]).join('');
}
