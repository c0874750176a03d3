// One line of what is known about the original Hermes (the Python program): a name that its users have written, and
// what becomes of it here. The tables beside this file are data; docs/migration.md is generated from them.

/**
 * `same`: works as it is. `translated`: works, under another name or with another value. `different`: not used here; `why`
 * says what to do instead. `foreign`: belongs to a part that is not here, and is left alone.
 */
export type Fate = 'same' | 'translated' | 'different' | 'foreign';

/** What a value is translated to when the setting should stay as if nothing were written. */
export const UNSET: unique symbol = Symbol('unset');

export interface Fact {
  /** A key of config.yaml with its dots, a variable, or a beginning: `voice.*`, `EMAIL_*`. */
  readonly name: string;
  readonly fate: Fate;
  /** Whole sentences, for people. */
  readonly why: string;
  /** The setting that has it here; for a variable, the variable. */
  readonly to?: string;
  /** The value for `to`, from what the original took. Undefined = it cannot be translated; `why` then says what to do. */
  readonly value?: (raw: unknown) => unknown;
  /** Whether this value kept somebody from something there that is not kept from them here. */
  readonly restricts?: (raw: unknown) => boolean;
  /** Values that mean the same here as no value, so that nothing need be said. */
  readonly usual?: readonly unknown[];
}

export function same(name: string, why = ''): Fact {
  return { name, fate: 'same', why };
}

export function moved(name: string, to: string, why: string, value?: Fact['value']): Fact {
  return { name, fate: 'translated', to, why, ...(value ? { value } : {}) };
}

export function different(name: string, why: string, usual: readonly unknown[] = []): Fact {
  return { name, fate: 'different', why, usual };
}

export function foreign(name: string, why = 'Belongs to a part that is not here.'): Fact {
  return { name, fate: 'foreign', why };
}

export function guard(name: string, why: string, restricts: (raw: unknown) => boolean = isGiven): Fact {
  return { name, fate: 'different', why, restricts };
}

/** False for everything that says nothing: null, empty texts, lists and mappings, and `false`. */
export function isGiven(raw: unknown): boolean {
  if (raw === null || raw === undefined || raw === false || raw === '') return false;
  if (Array.isArray(raw)) return raw.length > 0;
  return typeof raw !== 'object' || Object.keys(raw).length > 0;
}

/** The original reads flags from many words; undefined for what is no flag. */
export function flagOf(raw: unknown): boolean | undefined {
  if (typeof raw === 'boolean') return raw;
  const word = String(raw).trim().toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(word)) return true;
  return ['false', 'no', 'off', '0'].includes(word) ? false : undefined;
}

/** Lists stand there as lists or as texts with commas. */
export function listOfTexts(raw: unknown): readonly string[] | undefined {
  if (Array.isArray(raw)) return raw.map(String);
  if (typeof raw === 'number' || typeof raw === 'bigint') return [String(raw)];
  if (typeof raw !== 'string') return undefined;
  return raw
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');
}
