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
  gateway: 'Start, stop and watch the gateway',
  config: 'Show, check and change the configuration',
  migrate: 'Take over a home of the original Hermes',
  model: 'Choose the model that answers, and try it',
  sandbox: 'Look at sandboxes, and suspend or remove them',
  session: 'Look at sessions, and delete them',
  audit: 'Look at what was done, and by whom',
  approvals: 'See what waits for an answer, and answer it',
  people: 'Say who may talk to the agent',
  pairing: 'See strangers who ask to be let in, and let them in',
  security: 'Look for what is dangerous about this installation',
  backup: 'Back up the installation, and put a backup back',
};

export const entries: readonly CommandEntry[] = [
  {
    path: ['start'],
    summary: 'Start the gateway with a page to try it',
    load: async () => (await import('./start.ts')).start,
  },
  {
    path: ['setup'],
    summary: 'Set up a model, a chat, a backend and an owner',
    load: async () => (await import('./setup.ts')).setup,
  },
  {
    path: ['chat'],
    summary: 'Talk to the agent',
    load: async () => (await import('./chat.ts')).chat,
  },
  {
    path: ['status'],
    summary: 'Show the whole installation on one screen',
    load: async () => (await import('./status.ts')).status,
  },
  {
    path: ['gateway', 'start'],
    summary: 'Start the gateway',
    load: async () => (await import('./gateway/start.ts')).gatewayStart,
  },
  {
    path: ['gateway', 'stop'],
    summary: 'Stop the running gateway',
    load: async () => (await import('./gateway/stop.ts')).gatewayStop,
  },
  {
    path: ['gateway', 'restart'],
    summary: 'Stop the gateway and start it again',
    load: async () => (await import('./gateway/restart.ts')).gatewayRestart,
  },
  {
    path: ['gateway', 'status'],
    summary: 'Show whether the gateway runs, and how',
    load: async () => (await import('./gateway/status.ts')).gatewayStatus,
  },
  {
    path: ['gateway', 'logs'],
    summary: 'Show the log of the gateway',
    load: async () => (await import('./gateway/logs.ts')).gatewayLogs,
  },
  {
    path: ['gateway', 'login'],
    summary: 'Make a link that lets somebody into the web chat',
    load: async () => (await import('./gateway/login.ts')).gatewayLogin,
  },
  {
    path: ['gateway', 'claim'],
    summary: 'Get the code that makes the first owner',
    load: async () => (await import('./gateway/claim.ts')).gatewayClaim,
  },
  {
    path: ['gateway', 'install'],
    summary: 'Have the system start the gateway',
    load: async () => (await import('./gateway/install.ts')).gatewayInstall,
  },
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
    path: ['approvals', 'allowed'],
    summary: 'List what is allowed for good',
    load: async () => (await import('./approvals/allowed.ts')).approvalsAllowed,
  },
  {
    path: ['approvals', 'revoke'],
    summary: 'Take back what was allowed for good',
    load: async () => (await import('./approvals/allowed.ts')).approvalsRevoke,
  },
  {
    path: ['people', 'list'],
    summary: 'List the people who may talk to the agent',
    load: async () => (await import('./people/list.ts')).peopleList,
  },
  {
    path: ['people', 'allow'],
    summary: 'Let a person in',
    load: async () => (await import('./people/decide.ts')).peopleAllow,
  },
  {
    path: ['people', 'deny'],
    summary: 'Keep a person out',
    load: async () => (await import('./people/decide.ts')).peopleDeny,
  },
  {
    path: ['people', 'role'],
    summary: 'Make a person owner or user',
    load: async () => (await import('./people/decide.ts')).peopleRole,
  },
  {
    path: ['people', 'forget'],
    summary: 'Make a person a stranger again',
    load: async () => (await import('./people/forget.ts')).peopleForget,
  },
  {
    path: ['pairing', 'list'],
    summary: 'List the strangers who ask to be let in',
    load: async () => (await import('./pairing/list.ts')).pairingList,
  },
  {
    path: ['pairing', 'approve'],
    summary: 'Let in whoever has the code',
    load: async () => (await import('./pairing/approve.ts')).pairingApprove,
  },
  {
    path: ['pairing', 'revoke'],
    summary: 'Take back that a person was let in',
    load: async () => (await import('./people/forget.ts')).pairingRevoke,
  },
  {
    path: ['pairing', 'clear-pending'],
    summary: 'Forget all requests to be let in',
    load: async () => (await import('./pairing/clear-pending.ts')).pairingClearPending,
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
    summary: 'Check everything that the installation needs',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    path: ['security', 'audit'],
    summary: 'List what is dangerous, and the setting that mends it',
    load: async () => (await import('./security/audit.ts')).securityAudit,
  },
  {
    path: ['backup', 'create'],
    summary: 'Make a backup',
    load: async () => (await import('./backup/create.ts')).backupCreate,
  },
  {
    path: ['backup', 'list'],
    summary: 'List the backups',
    load: async () => (await import('./backup/list.ts')).backupList,
  },
  {
    path: ['backup', 'verify'],
    summary: 'Check whether a backup could be restored',
    load: async () => (await import('./backup/verify.ts')).backupVerify,
  },
  {
    path: ['backup', 'restore'],
    summary: 'Put a backup in the place of what is there',
    load: async () => (await import('./backup/restore.ts')).backupRestore,
  },
  {
    path: ['model', 'list'],
    summary: 'List the models of the configured server',
    load: async () => (await import('./model/list.ts')).modelList,
  },
  {
    path: ['model', 'set'],
    summary: 'Choose the model',
    load: async () => (await import('./model/set.ts')).modelSet,
  },
  {
    path: ['model', 'test'],
    summary: 'Ask the model one question',
    load: async () => (await import('./model/test.ts')).modelTest,
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
    path: ['migrate', 'check'],
    summary: 'Say what becomes of a home of the original Hermes',
    load: async () => (await import('./migrate/check.ts')).migrateCheck,
  },
  {
    path: ['migrate', 'apply'],
    summary: 'Write its settings in the form of this program',
    load: async () => (await import('./migrate/apply.ts')).migrateApply,
  },
  {
    path: ['completion'],
    summary: 'Print a completion script for your shell',
    load: async () => (await import('./completion.ts')).completion,
  },
];
