// What a benchmark is: cases that run in turns, each beside a bare reference, and figures of memory. What it promises is
// declared as data, so that the page of docs and its test read the same limits as the run.
import type { AddressOf, ServiceName } from '../test/services/registry.ts';

export interface CaseSpec<Id extends string = string> {
  /** What the page and the report call it. */
  readonly name: string;
  /** The case it is compared with; a reference itself has none. */
  readonly against?: Id;
  /** The promise: the median ratio to the reference is at most this. */
  readonly limit?: number;
  /** It is one of the cases of the short check. */
  readonly isShort?: true;
}

/** Memory is a count, which load does not change: its limit is absolute. */
export interface FigureSpec {
  readonly name: string;
  readonly limitMiB: number;
}

export interface CaseRun {
  run(): unknown;
  /** What has to be there before it and to go after it; neither is measured. */
  before?(): unknown;
  after?(): unknown;
  /** What was measured in the last run, when that is not the time it took. */
  ownMs?(): number;
}

/** `wall`: what a person waits. `cpu`: the time of this process, for work that never waits. */
export type Clock = 'wall' | 'cpu';

export interface Opened<Id extends string = string, FigureId extends string = string> {
  readonly runs: Readonly<Record<Id, CaseRun>>;
  /** Taken before the first round, while the process is small. */
  readonly figures?: () => Promise<Readonly<Record<FigureId, number>>>;
  close(): Promise<void>;
}

/** The address of a test service; throws `NotAvailable` where this machine cannot run it. */
export type UseService = <Name extends ServiceName>(name: Name) => Promise<AddressOf<Name>>;

export interface Bench<Id extends string = string, FigureId extends string = string> {
  /** Its heading on the page. */
  readonly title: string;
  /** Sentences below the heading. */
  readonly about?: string;
  readonly clock?: Clock;
  readonly rounds: number;
  /** Rounds before the first that counts; one if absent. */
  readonly warmUp?: number;
  /** How often a case repeats within a round; what a command leaves to be done then weighs on the next one. */
  readonly burst?: number;
  readonly cases: Readonly<Record<Id, CaseSpec<NoInfer<Id>>>>;
  readonly figures?: Readonly<Record<FigureId, FigureSpec>>;
  /** The components of test/services that it runs on. */
  readonly needs?: readonly ServiceName[];
  /** Prepares the cases; `close` undoes the preparation. */
  open(use: UseService): Promise<Opened<NoInfer<Id>, NoInfer<FigureId>>>;
}

/** Ties the ids of declared cases to what `open` returns, and forgets them. */
export function defineBench<const Id extends string, const FigureId extends string = never>(
  bench: Bench<Id, FigureId>,
): Bench {
  return bench;
}
