// What the analysis of a command says: plain data, the same for the prompt, for `explain` and for the audit.

/** What a command could harm, and what that means. `unresolved` could be any of them: nobody can tell before it runs. */
export const families = {
  'host-files': 'files outside the working folder, whole disks, or work that nothing can bring back',
  mounts: 'host folders that are mounted into the sandbox',
  persistence: 'what runs later by itself: shell start files, cron, services, ssh keys, git hooks',
  privileges: 'who may do what: root, users, groups, permissions, the kernel',
  processes: 'processes of others, and the machine’s room for new ones',
  services: 'services, packages, and whether the machine is up',
  network: 'data sent away, shells for others, code from elsewhere, the firewall',
  credentials: 'keys, tokens and passwords',
  data: 'databases and stores',
  vcs: 'history and uncommitted work in a repository, here or on its server',
  cloud: 'clusters, cloud resources, containers and their volumes',
  self: 'Hermes itself: its process, configuration and state',
  unresolved: 'unknown: it cannot be told what would run',
} as const;

export type Family = keyof typeof families;

/** A model may clear what is below `high`; the rest is for people. */
export type Severity = 'low' | 'medium' | 'high';

export interface Finding {
  readonly rule: string;
  readonly threatens: Family;
  readonly severity: Severity;
  /** In plain words, for the person who is asked. */
  readonly reason: string;
  /** The exact part of the command, as written; of text that runs inside another, as that text reads. */
  readonly part: string;
  /** The files concerned, where it is about files. `./` is the working folder, `~` a home folder. */
  readonly paths?: readonly string[];
  /**
   * It matters only where credentials are forwarded, or where one of `variables` is, or where nothing is contained: a folder that
   * was mounted to be written to may be. Absent = everywhere.
   */
  readonly onlyWith?: 'credentials' | 'named-credentials' | 'everything';
  /** Names of the variables it shows. */
  readonly variables?: readonly string[];
  /** What "always" may learn from it: the program, its flags, and `{file}` for files of the work. */
  readonly shape?: string;
}

export interface Analysis {
  readonly findings: readonly Finding[];
  /** Every simple command that would run, as words with single spaces; for comparing with patterns. */
  readonly commands: readonly string[];
}
