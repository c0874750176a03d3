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
  /** What every value of it looks like that the service gives out; a value that does not is a slip. Absent = anything. */
  readonly shape?: Shape;
  /**
   * For settings that decide about isolation: the safer of what two sources say, `one` where they are alike. It decides instead
   * of the order of the sources; a flag of the command line stands above it. Absent = the order decides.
   */
  safer?(one: T, other: T): T;
  /** The key of the more general setting; what weaker sources say there, and not here, is compared too. */
  readonly narrows?: string;
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

/** Ends the sentence "it is …": `looks` such as `a number, a colon and 35 characters`. */
export interface Shape {
  readonly pattern: RegExp;
  readonly looks: string;
}

interface SettingOptions<T> {
  env?: string;
  secret?: boolean;
  shape?: Shape;
  safer?: (one: T, other: T) => T;
  narrows?: string;
  doc: string;
}

export function defineSection<const S extends Settings>(section: Section<S>): Section<S> {
  return section;
}

export function setting<T>(
  kind: Kind<T>,
  options: SettingOptions<NoInfer<T>> & { default: NoInfer<T> },
): Setting<T> {
  return { kind, ...options };
}

/** A setting that may stay unset; `unset` tells what that means. */
export function optional<T>(
  kind: Kind<T>,
  options: SettingOptions<NoInfer<T>> & { unset?: string },
): Setting<T | undefined> {
  const { safer, ...rest } = options;
  // Only values that were stated are compared, never the absence of one.
  const compared = safer && { safer: safer as Setting<T | undefined>['safer'] & {} };
  return { kind, default: undefined, ...rest, ...compared };
}
