// The one configuration of a process: immutable, typed by the sections it was loaded from, each value with its origin.
import type { Section, Setting, Settings, SettingsReader } from '../base/setting.ts';
import type { Origin } from './origin.ts';

type Merge<U> = (U extends unknown ? (part: U) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** All settings of a list of sections, by their dotted key. */
export type SettingsOf<S extends readonly Section[]> = Merge<S[number]['settings']>;

export interface ConfigPaths {
  readonly home: string;
  readonly config: string;
  readonly dotenv: string;
}

/** One setting as it stands. */
export interface ConfigEntry {
  readonly key: string;
  readonly value: unknown;
  readonly origin: Origin;
  readonly setting: Setting<unknown>;
}

/** What one source says about a setting, whether it counts or not. */
export interface StatedValue {
  readonly value: unknown;
  readonly origin: Origin;
}

export interface Config<S = Settings> extends SettingsReader<S> {
  readonly paths: ConfigPaths;
  /** What the operator should know although nothing is wrong; each said once. */
  readonly notices: readonly string[];
  /** Where a safer value of a weaker source was taken; a line each, which every command repeats. */
  readonly overruled: readonly string[];
  /** What restricted somebody in the original Hermes and does not here; to be said at every start. */
  readonly warnings: readonly string[];
  origin(key: keyof S & string): Origin;
  /** Everything that was said about a setting, strongest source first; empty when it has its default. */
  stated(key: keyof S & string): readonly StatedValue[];
  /** In the order of their declaration. */
  entries(): readonly ConfigEntry[];
  /** A variable that is no setting, such as one to be forwarded: from the environment, else from `.env`. */
  variable(name: string): string | undefined;
  /** All variables that begin so, of both places. */
  variables(prefix: string): Readonly<Record<string, string>>;
  /** All values of `.env` and all secret settings, for redaction. */
  secretValues(): readonly string[];
}
