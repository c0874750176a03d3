// The contract of a backend: what a driver promises, and what everything above it may rely on. Limits, time-outs,
// shells, results and files stand above it, once, in sandboxes/.

import type { Abortable } from '../base/abortable.ts';
import type { Clock } from '../base/clock.ts';

/**
 * How far a command is from the gateway's host: `none` runs on it, `remote` on another machine without containment,
 * `container` shares a kernel with what it is contained by, `machine` has its own.
 */
export type Isolation = 'none' | 'remote' | 'container' | 'machine';

/** What a backend can do. Each is proved by the conformance suite. */
export interface Capabilities {
  readonly isolation: Isolation;
  /** The sandbox has process ids of its own, so no process can hide from a kill. */
  readonly ownProcesses: boolean;
  /** The sandbox goes on living when the gateway ends; otherwise only its files do. */
  readonly survivesGateway: boolean;
  /** `suspend` and `resume` exist. */
  readonly suspend: boolean;
  /** `snapshot` exists. */
  readonly snapshot: boolean;
  /** The image of the spec is honoured; elsewhere giving one is an error. */
  readonly images: boolean;
  /** The mounts of the spec are honoured; elsewhere giving some is an error. */
  readonly mounts: boolean;
  /** The networks that a sandbox can be given. */
  readonly networks: readonly Network[];
}

export type Network = 'none' | 'open';

/** What is known of a backend before its driver is loaded, so that decisions need neither the driver nor its engine. */
export interface BackendFacts {
  readonly capabilities: Capabilities;
  /** `auto` tries the lowest first; absent = used only when somebody wrote its name. */
  readonly autoRank?: number;
  /** The setting that names its image. */
  readonly imageSetting?: string;
  /** The setting that decides about the network where the caller does not. */
  readonly networkSetting?: string;
  /** The setting that decides about the persistent shell, where it is not the common one. */
  readonly shellSetting?: string;
  /** The setting by which the owner gives the machine up; absent = nobody can. */
  readonly disposableSetting?: string;
  /** How a command becomes root in a sandbox, or that it cannot: a sentence for the model. Absent = by sudo, as on any machine. */
  readonly root?: string;
  /** What a live sandbox costs; absent = nobody is billed for it. */
  readonly prices?: Prices;
}

/** List prices, for an estimate: the bill is the provider's. */
export interface Prices {
  readonly currency: 'USD';
  /** For each second of each core of the limits. */
  readonly cpuSecond: number;
  /** For each second of each GiB of the limits. */
  readonly gibSecond: number;
  /** When they were looked up, such as `2026-06`. */
  readonly asOf: string;
}

/** 0 = not limited; absent = as the settings have it. */
export interface Limits {
  readonly cpus?: number;
  readonly memoryMiB?: number;
  readonly diskMiB?: number;
  readonly processes?: number;
}

/** `soft`: watched or only usual; `none`: not held at all. Both count as exposure. */
export type Strength = 'enforced' | 'soft' | 'none';

export interface Enforcement {
  readonly cpus: Strength;
  readonly memory: Strength;
  readonly disk: Strength;
  readonly processes: Strength;
  /** MiB that /tmp may hold, where a limit of its own is enforced; absent = it has none. */
  readonly tmpMiB?: number;
}

export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** What is wanted. Plain data, decided before the driver is called. */
export interface SandboxSpec {
  /** Chosen by the caller and owned before `create`, so that a half-made sandbox can be found. */
  readonly id: string;
  readonly installation: string;
  readonly session?: string;
  readonly image?: string;
  readonly network?: Network;
  readonly limits: Limits;
  readonly mounts: readonly Mount[];
  /** Values that commands see. The driver hands them on in `Sandbox.env`, never in arguments or metadata (P7). */
  readonly env: Readonly<Record<string, string>>;
  /** Where commands start; absent = the backend's own default. */
  readonly cwd?: string;
  /** Whether the files outlive a suspension. */
  readonly persistent: boolean;
  /**
   * How long its owner lets it be idle. A backend that bills for time ends or stops it by itself when nobody has asked for it
   * for somewhat longer, in case there is nobody any more. Absent = an hour.
   */
  readonly idleSeconds?: number;
}

/** Enough to find a sandbox again after a restart. Plain JSON. */
export interface SandboxRef {
  readonly backend: string;
  readonly id: string;
  /** What the engine itself calls it. */
  readonly name: string;
  readonly installation: string;
  readonly session?: string;
}

export interface AttachOptions extends Abortable {
  /** The values that commands see; nothing has kept them since the sandbox was made (P7). */
  readonly env?: Readonly<Record<string, string>>;
}

/** What stands in the way, in words an operator can act on. */
export interface Problem {
  readonly message: string;
  readonly fix: string;
  /** `warning`: sandboxes can be made all the same. Absent = they cannot. */
  readonly severity?: 'warning';
  /** The package of Debian and its kin that mends it; absent = no package does. */
  readonly package?: string;
}

/** A program behind a backend, by the name it is known under. */
export interface Program {
  readonly name: string;
  readonly version: string;
}

/** What can be told of a backend without making a sandbox. */
export interface Inspection {
  /** Those whose holes would be holes of its sandboxes. */
  readonly programs: readonly Program[];
  /** How far the limits of the settings would hold. */
  readonly limits: Enforcement;
  /** How its daemon is reached; absent = there is none. `plain`: over a network, and not encrypted. */
  readonly reach?: 'socket' | 'tls' | 'plain';
  /** Whether sandboxes that can write a folder of the host are kept from leaving set-user-id programs there. Absent = not known. */
  readonly refusesSetId?: boolean;
}

/** What the operator's settings put into sandboxes besides what a caller asks for. */
export interface Additions {
  readonly mounts: readonly Mount[];
  readonly env: Readonly<Record<string, string>>;
}

export interface FoundImage {
  /** `registry`: the first sandbox pulls it. */
  readonly place: 'here' | 'registry' | 'nowhere';
  /** Why it is nowhere, in the words of the engine. */
  readonly reason?: string;
}

/** Knows how to make one kind of sandbox. Nothing is started before `create`. */
export interface Backend {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Never throws. Ready when nothing is found, or warnings only. */
  check(options?: Abortable): Promise<readonly Problem[]>;
  /**
   * Where an image is; asks its registry, and pulls nothing. Absent = that shows when a sandbox is made. Throws
   * UNAVAILABLE_BACKEND.
   */
  findImage?(image: string, options?: Abortable): Promise<FoundImage>;
  /** Of the program or engine behind it, for people; undefined where it does not tell. */
  version?(): Promise<string | undefined>;
  /** Absent = nothing is known before a sandbox is made. Throws UNAVAILABLE_BACKEND. */
  inspect?(options?: Abortable): Promise<Inspection>;
  /**
   * What the settings of this backend add to sandboxes of the CLI and of `openSandbox`; those of messaging sessions get none of
   * it. Absent = nothing. Throws CONFIG_INVALID.
   */
  additions?(): Additions;
  /** Throws UNAVAILABLE_BACKEND or SANDBOX_NOT_CREATED; then nothing of it is left. */
  create(spec: SandboxSpec, options?: Abortable): Promise<Sandbox>;
  /** After a restart, or when it was suspended. Throws SANDBOX_GONE. */
  attach(ref: SandboxRef, options?: AttachOptions): Promise<Sandbox>;
  /** Every sandbox with our label, living or not: how orphans are found. */
  list(installation: string, options?: Abortable): AsyncIterable<SandboxRef>;
  /**
   * Ends a listed sandbox in whatever state it is, also one that was only half made or cannot be attached to any more. Idempotent;
   * what is not this sandbox is left alone. Absent = one attaches and destroys.
   */
  destroy?(ref: SandboxRef, options?: Abortable): Promise<void>;
  close(): Promise<void>;
}

/** One live sandbox. */
export interface Sandbox {
  /** Its name may be another one after `suspend`, that of what is kept, and after `resume`. */
  readonly ref: SandboxRef;
  /** Absolute; where commands start. Exists and is writable for them. */
  readonly workdir: string;
  /** The `env` of the spec; the channel gives it to commands over its own stream. */
  readonly env: Readonly<Record<string, string>>;
  /** How far each limit of the spec really holds. */
  readonly enforcement: Enforcement;
  /** Whether it has process ids of its own, as its backend's capability says. Absent = it has not. */
  readonly ownProcesses?: boolean;
  /** A private folder in the sandbox, on disk, for the shell channel; made by the channel itself. */
  readonly channelDir: string;
  /**
   * Starts a process in the sandbox, in `workdir`, with the backend's basic environment. Throws SANDBOX_PROGRAM_MISSING when the
   * program does not exist, SANDBOX_GONE when the sandbox does not.
   */
  spawn(argv: readonly [string, ...string[]], options?: Abortable): Promise<SandboxProcess>;
  snapshot?(options?: Abortable): Promise<string>;
  suspend?(options?: Abortable): Promise<void>;
  resume?(options?: Abortable): Promise<void>;
  /** Idempotent; resolves when nothing of it runs or is billed. */
  destroy(options?: Abortable): Promise<void>;
}

/** Where it returns a promise, the driver reads no more of that stream until it has resolved. */
export type OutputListener = (stream: 'stdout' | 'stderr', data: Uint8Array) => unknown;

export interface SandboxProcess {
  /** Resolves when the bytes have been taken, so that a slow reader slows the writer, or when nobody takes any. */
  write(data: Uint8Array): Promise<void>;
  /** Ends standard input. */
  end(): void;
  /** Called for each piece as it arrives; at most one listener. Pieces before it are kept. */
  onOutput(listener: OutputListener): void;
  /** Resolves once the process is gone and all its output has been delivered; never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** Ends the process itself, at once; what it started is the channel's business. */
  kill(): void;
}

export type ProcessExit =
  | { readonly code: number }
  | { readonly signal: string }
  /** The connection to it is gone, and with it any knowledge of it. */
  | { readonly lost: string };

/** What a driver is given besides its settings. */
export interface DriverContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where Hermes was started. */
  readonly cwd: string;
  /** For short-lived files. */
  readonly tmpDir: string;
  /** The installation's own folder, private and on disk; a driver makes what it needs below it. */
  readonly home: string;
  /** A variable of the environment or of `.env`, for what is forwarded by name. */
  readonly variable: (name: string) => string | undefined;
  /** Tells the operator how a long step goes on, such as a pull. */
  readonly progress: (text: string) => void;
  readonly clock: Clock;
}
