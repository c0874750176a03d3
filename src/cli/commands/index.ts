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
  sandbox: 'Look at sandboxes, and suspend or remove them',
  session: 'Look at sessions, and delete them',
  audit: 'Look at what was done, and by whom',
  approvals: 'See what waits for an answer, and answer it',
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
    path: ['sandbox', 'list'],
    summary: 'List the sandboxes',
    load: async () => (await import('./sandbox/list.ts')).sandboxList,
  },
  {
    path: ['sandbox', 'explain'],
    summary: 'Say where a command would run, and why',
    load: async () => (await import('./sandbox/explain.ts')).sandboxExplain,
  },
  {
    path: ['sandbox', 'inspect'],
    summary: 'Show everything about one sandbox',
    load: async () => (await import('./sandbox/inspect.ts')).sandboxInspect,
  },
  {
    path: ['sandbox', 'logs'],
    summary: 'Show what was done in a sandbox',
    load: async () => (await import('./sandbox/logs.ts')).sandboxLogs,
  },
  {
    path: ['sandbox', 'files'],
    summary: 'List files in a sandbox',
    load: async () => (await import('./sandbox/files.ts')).sandboxFiles,
  },
  {
    path: ['sandbox', 'get'],
    summary: 'Copy a file out of a sandbox',
    load: async () => (await import('./sandbox/get.ts')).sandboxGet,
  },
  {
    path: ['sandbox', 'put'],
    summary: 'Copy a file into a sandbox',
    load: async () => (await import('./sandbox/put.ts')).sandboxPut,
  },
  {
    path: ['sandbox', 'suspend'],
    summary: 'End the processes of a sandbox, keep its files',
    load: async () => (await import('./sandbox/suspend.ts')).sandboxSuspend,
  },
  {
    path: ['sandbox', 'destroy'],
    summary: 'Remove a sandbox with its files',
    load: async () => (await import('./sandbox/destroy.ts')).sandboxDestroy,
  },
  {
    path: ['sandbox', 'prune'],
    summary: 'Remove what nobody can use any more',
    load: async () => (await import('./sandbox/prune.ts')).sandboxPrune,
  },
  {
    path: ['sandbox', 'verify'],
    summary: 'Try to break out of a sandbox',
    load: async () => (await import('./sandbox/verify.ts')).sandboxVerify,
  },
  {
    path: ['session', 'list'],
    summary: 'List the sessions',
    load: async () => (await import('./session/list.ts')).sessionList,
  },
  {
    path: ['session', 'show'],
    summary: 'Show one session',
    load: async () => (await import('./session/show.ts')).sessionShow,
  },
  {
    path: ['session', 'delete'],
    summary: 'Delete a session',
    load: async () => (await import('./session/delete.ts')).sessionDelete,
  },
  {
    path: ['approvals', 'list'],
    summary: 'List the questions that wait for an answer',
    load: async () => (await import('./approvals/list.ts')).approvalsList,
  },
  {
    path: ['approvals', 'approve'],
    summary: 'Say yes to a question',
    load: async () => (await import('./approvals/answer.ts')).approvalsApprove,
  },
  {
    path: ['approvals', 'deny'],
    summary: 'Say no to a question',
    load: async () => (await import('./approvals/answer.ts')).approvalsDeny,
  },
  {
    path: ['audit', 'list'],
    summary: 'List who caused what',
    load: async () => (await import('./audit/list.ts')).auditList,
  },
  {
    path: ['redact'],
    summary: 'Hide secrets in a text',
    load: async () => (await import('./redact.ts')).redact,
  },
  {
    path: ['explain'],
    summary: 'Say whether a command would be asked about, and why',
    load: async () => (await import('./explain.ts')).explain,
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
