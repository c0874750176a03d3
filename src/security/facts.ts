// What the checks of an audit look at, gathered beforehand, so that every check is a pure function of it.
import type { Enforcement, Inspection, Program } from '../backends/backend.ts';
import type { section as docker } from '../backends/docker/settings.ts';
import type { section as terminal } from '../backends/settings.ts';
import type { section as redaction } from '../base/redact/settings.ts';
import type { SettingsReader } from '../base/setting.ts';
import type { ConfigEntry } from '../config/config.ts';
import type { SandboxPolicy } from '../sessions/policy.ts';
import type { section as sessions } from '../sessions/settings.ts';

type AuditSettings = (typeof terminal)['settings'] &
  (typeof docker)['settings'] &
  (typeof sessions)['settings'] &
  (typeof redaction)['settings'];

/** Settings of parts that stand beside this one are found among the entries. */
export interface AuditConfig extends SettingsReader<AuditSettings> {
  entries(): readonly ConfigEntry[];
}

/** Something in the home that others than its owner can get at. */
export interface LooseFile {
  readonly path: string;
  readonly mode: number;
  readonly isFolder: boolean;
  /** Whether it holds keys: `.env`, a backup with secrets. */
  readonly isSecret: boolean;
}

export interface AuditFacts {
  readonly now: number;
  readonly config: AuditConfig;
  /** Of messaging sessions; null while `auto` has not chosen, or nothing would run. */
  readonly policy: SandboxPolicy | null;
  /** The setting by which the owner gives the machine of that backend up, if it is on. */
  readonly isDisposable: boolean;
  /** `gateway.sandbox_volumes`, with why one of them hands over the host. */
  readonly mounts: readonly { volume: string; readOnly: boolean; danger?: string }[];
  /** Names of `gateway.sandbox_forward_env` that look like secrets. */
  readonly forwardedSecrets: readonly string[];
  /** Those that are set up. */
  readonly platforms: readonly { name: string; isPublic: boolean }[];
  readonly owners: number;
  /** Of the running gateway, else of whoever asks; undefined where there are no users. */
  readonly uid: number | undefined;
  readonly loose: readonly LooseFile[];
  /** Files of the home that belong to neither the gateway's user nor root. */
  readonly foreign: readonly string[];
  /** Secret settings whose value stands in config.yaml, with their line. */
  readonly writtenSecrets: readonly { key: string; line: number }[];
  /** Further lines of config.yaml with something that looks like a secret. */
  readonly secretLines: readonly number[];
  /** Of Node and of what is behind the backend of messaging sessions. */
  readonly programs: readonly Program[];
  /** Null when the backend does not tell. */
  readonly limits: Enforcement | null;
  readonly reach: Inspection['reach'] | null;
  /** Null when the backend does not tell. */
  readonly refusesSetId: boolean | null;
  /** Whether the gateway itself runs in a container. */
  readonly inContainer: boolean;
  readonly hasState: boolean;
  readonly newestBackup: number | null;
}

/** A setting of any part; undefined where there is none of that name. */
export function settingOf({ config }: Pick<AuditFacts, 'config'>, key: string): unknown {
  return config.entries().find(entry => entry.key === key)?.value;
}
