// What the decision about a sandbox is made from, and the words that it and its parts answer in.
import type { BackendFacts, Network } from '../backends/backend.ts';
import type { section as terminal } from '../backends/settings.ts';
import type { SettingsReader } from '../base/setting.ts';
import type { ConfigEntry } from '../config/config.ts';
import type { Origin } from '../config/origin.ts';
import type { section } from './settings.ts';

export type PolicySettings = (typeof terminal)['settings'] & (typeof section)['settings'];

/** The part of the configuration that the decision reads. */
export interface PolicyConfig extends SettingsReader<PolicySettings> {
  origin(key: keyof PolicySettings & string): Origin;
  entries(): readonly ConfigEntry[];
  /** What restricted somebody in the original Hermes and does not here. */
  readonly warnings: readonly string[];
}

export interface SessionTraits {
  readonly kind: 'messaging' | 'cli';
  /** What an owner has switched the session to. */
  readonly network?: Network | null;
}

/** What the decision knows besides the configuration. */
export interface PolicyWorld {
  readonly backends: Readonly<Record<string, BackendFacts>>;
  /** What `auto` has come to in this installation. */
  readonly recorded: { readonly name: string; readonly chosenAt: number } | null;
}

/** A value, and what decided it. */
export interface Decided<T> {
  readonly value: T;
  readonly origin: string;
}

/** Why there is no policy. */
export type NoDecision =
  /** `auto`, and nothing is recorded yet: the first of these that works will be. */
  { readonly kind: 'undecided'; readonly among: readonly string[]; readonly origin: string } | Refusal;

export interface Refusal {
  readonly kind: 'refused';
  readonly reason: string;
  readonly fix: string;
}
