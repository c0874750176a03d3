// How a part of the project declares its settings: a name users write, a kind, a default and a sentence of
// documentation. Loading, checking, origins and the reference page are made from these declarations.
import type { z } from 'zod';

/** What values a setting takes, in three forms: for the checker, for people, and for text from outside. */
export interface Kind<T> {
  readonly schema: z.ZodType<T>;
  /** Ends the sentence "accepted: …". */
  readonly accepts: string;
  /** The value meant by an environment variable or a command line; what is no such value comes back unchanged. */
  readonly fromText: (text: string) => unknown;
  /** The closed list of values, where there is one; the nearest is proposed for a wrong one. */
  readonly choices?: readonly string[];
}

export interface Setting<T> {
  readonly kind: Kind<unknown>;
  readonly default: T;
  /** Says what happens while the setting is unset, where `default` alone does not. */
  readonly unset?: string;
  readonly env?: string;
  /** A secret is masked wherever it is shown, and saved to `.env` only. */
  readonly secret?: boolean;
  readonly doc: string;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;

export type ValueOf<S> = S extends Setting<infer Value> ? Value : never;

/** What a part needs of the configuration: its own settings, and no knowledge of the others. */
export interface SettingsReader<S> {
  get<K extends keyof S & string>(key: K): ValueOf<S[K]>;
}

export interface Section<S extends Settings = Settings> {
  readonly title: string;
  readonly doc: string;
  /** By the dotted key of config.yaml. */
  readonly settings: S;
}

interface SettingOptions {
  env?: string;
  secret?: boolean;
  doc: string;
}

export function defineSection<const S extends Settings>(section: Section<S>): Section<S> {
  return section;
}

export function setting<T>(kind: Kind<T>, options: SettingOptions & { default: NoInfer<T> }): Setting<T> {
  return { kind, ...options };
}

/** A setting that may stay unset; `unset` tells what that means. */
export function optional<T>(
  kind: Kind<T>,
  options: SettingOptions & { unset?: string },
): Setting<T | undefined> {
  return { kind, default: undefined, ...options };
}
