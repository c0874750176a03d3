// What a rule is: data. Its examples are its tests, and the page of rules is made from it.
import type { SimpleCommand } from '../command.ts';
import type { Deletion } from '../effects/deletes.ts';
import type { Family, Finding, Severity } from '../finding.ts';

/** A command with the files it touches, located. */
export interface Judged extends SimpleCommand {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly Deletion[];
  /** Where a path leads, by the names that the rules know. */
  readonly locate: (path: string) => string;
  /** Where Hermes keeps its own files besides `~/.hermes`. */
  readonly homes: readonly string[];
  /** Where the gateway itself listens on this machine. */
  readonly ports: readonly number[];
  /** What commands before it in the same text have made: files that they wrote, and new folders, which end with a slash. */
  readonly made: readonly string[];
}

export interface Rule {
  /** `family.name`; appears in prompts, grants and the audit, and is never given to another rule. */
  readonly id: string;
  readonly threatens: Family;
  readonly severity: Severity;
  /** Says to a person what would happen. */
  readonly reason: string;
  /** Looked at only for these; absent = for every command. */
  readonly programs?: readonly string[];
  /** Whether it applies. A list is of the files concerned; an empty one means no. */
  readonly matches: (command: Judged) => boolean | readonly string[];
  /** It matters only where credentials are forwarded, or where one of those that it names is; absent = everywhere. */
  readonly onlyWith?: Finding['onlyWith'];
  /** What "always" may learn from it; absent or undefined = the exact command only. */
  readonly shape?: (command: Judged) => string | undefined;
  /** Commands in which it is found. */
  readonly positive: readonly string[];
  /** Commands that look like it and in which it is not found. */
  readonly negative: readonly string[];
}

/** Flags of the tools for clusters, clouds and containers that are followed by a value. */
export const VALUED_FLAGS = [
  '-n',
  '--namespace',
  '--context',
  '--kubeconfig',
  '-H',
  '--host',
  '-f',
  '--file',
  '-p',
  '--project-name',
  '--profile',
  '--region',
  '--project',
  '--zone',
  '-o',
  '--output',
  '--cluster',
];

/** The words of a program with subcommands, without flags; `git -C x push` has the flag's value skipped. */
export function verbsOf({ args }: Judged, valued: readonly string[] = []): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') return [...found, ...args.slice(at + 1)];
    if (!arg.startsWith('-')) found.push(arg);
    else if (valued.includes(arg)) at++;
  }
  return found;
}

const flagsOf = (args: readonly string[]): readonly string[] =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args;

/** Only shows how it is used. */
export function isHelp({ args }: Judged): boolean {
  return flagsOf(args).some(arg => /^--?help$/.test(arg)) || args.at(-1) === '-h';
}

/** Only shows what it would do, or how it is used. */
export function isTrial(command: Judged): boolean {
  return (
    isHelp(command) ||
    flagsOf(command.args).some(arg =>
      /^(?:--dry-run(?:=(?:client|server|true))?|--dryrun|--plan|--what-if)$/.test(arg),
    )
  );
}
