// The commands of the CLI. Only the one that is called gets loaded, so that starting stays fast.
import type { Command } from '../command.ts';

export interface CommandEntry {
  /** The words after `hermes`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Words that group commands, with what they are about. */
export const groups: Readonly<Record<string, string>> = {
  config: 'Show, check and change the configuration',
  sandbox: 'Look at sandboxes',
};

export const entries: readonly CommandEntry[] = [
  {
    path: ['run'],
    summary: 'Run one command in a sandbox',
    load: async () => (await import('./run.ts')).run,
  },
  {
    path: ['shell'],
    summary: 'Work in a sandbox, line by line',
    load: async () => (await import('./shell.ts')).shell,
  },
  {
    path: ['sandbox', 'verify'],
    summary: 'Try to break out of a sandbox',
    load: async () => (await import('./sandbox/verify.ts')).sandboxVerify,
  },
  {
    path: ['doctor'],
    summary: 'Check whether the backends work here',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    path: ['config', 'show'],
    summary: 'Show the settings in force',
    load: async () => (await import('./config/show.ts')).configShow,
  },
  {
    path: ['config', 'check'],
    summary: 'Check the configuration and list every problem',
    load: async () => (await import('./config/check.ts')).configCheck,
  },
  {
    path: ['config', 'set'],
    summary: 'Change a setting',
    load: async () => (await import('./config/set.ts')).configSet,
  },
  {
    path: ['config', 'unset'],
    summary: 'Return a setting to its default',
    load: async () => (await import('./config/unset.ts')).configUnset,
  },
  {
    path: ['config', 'path'],
    summary: 'Tell where the configuration lives',
    load: async () => (await import('./config/path.ts')).configPath,
  },
  {
    path: ['completion'],
    summary: 'Print a completion script for your shell',
    load: async () => (await import('./completion.ts')).completion,
  },
];
