// The table of all error codes: who must act, whether a retry makes sense, and what each door shows for it.
// docs/errors.md is generated from it.

/** Who can make the error go away. `nobody`: it passes by itself. */
export type Actor = 'operator' | 'user' | 'developer' | 'nobody';

export interface ErrorKind {
  readonly meaning: string;
  readonly actor: Actor;
  /** True when the very same call may succeed later without anybody changing anything. */
  readonly retry: boolean;
  /** Exit code of the CLI. */
  readonly exit: number;
  /** Status of the dashboard's HTTP answer. */
  readonly http: number;
  /** What the model is told; the full message stays with the operator. */
  readonly model: string;
  /** What the chat is told. */
  readonly chat: string;
}

const usage = { actor: 'user', retry: false, exit: 2, http: 400 } as const;
const config = {
  actor: 'operator',
  retry: false,
  exit: 78,
  http: 500,
  model: 'The installation is misconfigured; only the operator can mend it.',
  chat: 'This installation is misconfigured. Its operator has to run `hermes config check`.',
} as const;

const sandbox = { actor: 'operator', retry: false, exit: 71, http: 500 } as const;

export const errorCodes = {
  USAGE_UNKNOWN_COMMAND: {
    ...usage,
    meaning: 'There is no such command.',
    model: 'No such command.',
    chat: 'I do not know that command. /help lists them.',
  },
  USAGE_BAD_ARGUMENTS: {
    ...usage,
    meaning: 'A flag or argument is unknown, missing, or has a value that is not accepted.',
    model: 'The arguments are not accepted; the message says what is.',
    chat: 'That is not how this command is used. /help shows it.',
  },
  USAGE_UNKNOWN_ID: {
    ...usage,
    http: 404,
    meaning: 'No sandbox or session has this id, or several ids begin so; the message lists those.',
    model: 'There is nothing with this id.',
    chat: 'There is nothing with this id.',
  },
  CONFIG_INVALID: {
    ...config,
    meaning: 'The configuration has problems; all of them are listed and nothing was started.',
  },
  CONFIG_UNREADABLE: {
    ...config,
    meaning: 'A configuration file exists but cannot be read.',
  },
  CONFIG_NOT_SAVED: {
    ...config,
    meaning: 'A configuration file could not be written; the old one is unchanged.',
  },
  UNAVAILABLE_LOCK: {
    meaning: 'Another process holds the lock of a file for longer than we wait.',
    actor: 'nobody',
    retry: true,
    exit: 69,
    http: 503,
    model: 'The file is in use by another process; try again.',
    chat: 'Something else is being saved right now. Please try again.',
  },
  UNAVAILABLE_BACKEND: {
    meaning:
      'A backend cannot be used here; the message says why and what to do. Nothing runs elsewhere instead.',
    actor: 'operator',
    retry: false,
    exit: 69,
    http: 503,
    model: 'No sandbox can be made at the moment; only the operator can change that.',
    chat: 'I have no sandbox to work in at the moment. The operator has to look at `hermes doctor`.',
  },
  UNAVAILABLE_GATEWAY: {
    meaning: 'Another gateway serves this home already; the message names it.',
    actor: 'operator',
    retry: false,
    exit: 69,
    http: 503,
    model: 'Another gateway is running.',
    chat: 'Another gateway is running already.',
  },
  UNAVAILABLE_STORE: {
    meaning:
      'The state of the installation cannot be used: damaged, made by a newer Hermes, or not permitted. It was left as it is.',
    actor: 'operator',
    retry: false,
    exit: 69,
    http: 503,
    model: 'The state of the installation cannot be used; only the operator can change that.',
    chat: 'My memory of this conversation cannot be used at the moment. The operator finds the reason in the log.',
  },
  UNAVAILABLE_STORE_DISK: {
    meaning:
      'The state of the installation could not be written: the disk is full or reports an error. What was there is unchanged.',
    actor: 'operator',
    retry: true,
    exit: 69,
    http: 503,
    model: 'The state of the installation could not be written; only the operator can change that.',
    chat: 'I cannot write anything down at the moment: the disk is full or broken. The operator has to look.',
  },
  UNAVAILABLE_BACKUP: {
    meaning: 'A backup could not be written: no room, or not permitted. What was there is unchanged.',
    actor: 'operator',
    retry: true,
    exit: 74,
    http: 503,
    model: 'A backup of the installation could not be written; only the operator can change that.',
    chat: 'I cannot write a backup at the moment. The operator has to look.',
  },
  USAGE_BACKUP_UNUSABLE: {
    ...usage,
    exit: 65,
    meaning: 'A backup is damaged, incomplete, or none at all; nothing was changed.',
    model: 'The backup cannot be used.',
    chat: 'That backup cannot be used.',
  },
  USAGE_NO_STATE: {
    ...usage,
    http: 404,
    meaning: 'There is no state of an installation in this home yet.',
    model: 'There is no state yet.',
    chat: 'There is nothing yet.',
  },
  AUTH_MODEL_KEY: {
    meaning: 'The server of the model refuses the key, or wants one and has none.',
    actor: 'operator',
    retry: false,
    exit: 77,
    http: 502,
    model: 'The model refuses the key.',
    chat: 'The model refuses my key. The operator has to look at `hermes model test`.',
  },
  CONFIG_MODEL_UNKNOWN: {
    ...config,
    http: 502,
    meaning: 'The server does not have the model of that name; the message says which, where it is known.',
    chat: 'My model does not exist on its server. The operator has to look at `hermes model list`.',
  },
  USAGE_CONTEXT_FULL: {
    ...usage,
    meaning: 'The conversation does not fit into the context of the model any more, even shortened.',
    model: 'The conversation is too long.',
    chat: 'This conversation has become too long for the model. /new starts afresh.',
  },
  UNAVAILABLE_MODEL_BUSY: {
    meaning: 'The server of the model limits us, or is overloaded, for longer than we wait.',
    actor: 'nobody',
    retry: true,
    exit: 69,
    http: 503,
    model: 'The model is overloaded.',
    chat: 'The model is overloaded or limits me right now. Please try again later.',
  },
  UNAVAILABLE_MODEL: {
    meaning: 'The server of the model cannot be reached, broke off, or answered with what nobody can read.',
    actor: 'operator',
    retry: true,
    exit: 69,
    http: 502,
    model: 'The model cannot be reached.',
    chat: 'I cannot reach my model at the moment. Please try again later.',
  },
  AUTH_PLATFORM_TOKEN: {
    meaning: 'The platform refuses the token; the message says which one and where it comes from.',
    actor: 'operator',
    retry: false,
    exit: 77,
    http: 502,
    model: 'The platform refuses the token.',
    chat: 'The platform refuses my token.',
  },
  UNAVAILABLE_PLATFORM: {
    meaning: 'The platform cannot be reached, limits us, or reports an error of its own; it is tried again.',
    actor: 'nobody',
    retry: true,
    exit: 69,
    http: 503,
    model: 'The platform cannot be reached right now.',
    chat: 'The platform cannot be reached right now.',
  },
  USAGE_NOT_DELIVERED: {
    ...usage,
    meaning:
      'The platform refuses the message for good: the chat is gone, the bot was blocked, the file is too large.',
    model: 'The message could not be delivered; the message says why.',
    chat: 'A message could not be delivered.',
  },
  UNAVAILABLE_NOT_RUNNING: {
    meaning: 'No gateway runs for this home, and what was asked for needs one.',
    actor: 'operator',
    retry: false,
    exit: 69,
    http: 503,
    model: 'No gateway is running.',
    chat: 'No gateway is running.',
  },
  UNAVAILABLE_NO_ANSWER: {
    meaning: 'The running gateway does not answer in time, or could not be started in time.',
    actor: 'operator',
    retry: true,
    exit: 69,
    http: 503,
    model: 'The gateway does not answer.',
    chat: 'The gateway does not answer right now.',
  },
  DENIED_ACTION: {
    meaning: 'This was not done: a rule forbids it, or an owner was asked and did not agree.',
    actor: 'user',
    retry: false,
    exit: 77,
    http: 403,
    model: 'This was not allowed.',
    chat: 'This was not allowed.',
  },
  DENIED_PERSON: {
    meaning: 'This person may not do that; the message says who may.',
    actor: 'user',
    retry: false,
    exit: 77,
    http: 403,
    model: 'The person may not do that.',
    chat: 'Only an owner may do that.',
  },
  SANDBOX_NOT_CREATED: {
    ...sandbox,
    meaning:
      'The engine could not make the sandbox; the message names the phase and what to do. Nothing is left of it.',
    model: 'The sandbox could not be made; only the operator can change that.',
    chat: 'I could not get a sandbox. The operator finds the reason in the log.',
  },
  SANDBOX_GONE: {
    ...sandbox,
    meaning: 'The sandbox does not exist any more.',
    model: 'The sandbox is gone; a new one starts empty.',
    chat: 'The sandbox of this conversation is gone. The next message gets a new one.',
  },
  SANDBOX_IN_USE: {
    ...sandbox,
    actor: 'nobody',
    retry: true,
    http: 409,
    meaning: 'Somebody is using the sandbox, or is changing its state right now; it was left as it is.',
    model: 'The sandbox is in use; it was left as it is.',
    chat: 'The sandbox is in use right now. Please try again later.',
  },
  SANDBOX_SUSPENDED: {
    ...sandbox,
    actor: 'user',
    http: 409,
    meaning: 'The sandbox is suspended, and what was asked for needs it awake.',
    model: 'The sandbox is suspended.',
    chat: 'The sandbox of this conversation is suspended. The next message wakes it.',
  },
  SANDBOX_STILL_THERE: {
    ...sandbox,
    actor: 'user',
    http: 409,
    meaning: 'The session still has a sandbox; nothing was deleted.',
    model: 'The session still has a sandbox.',
    chat: 'This conversation still has a sandbox.',
  },
  SANDBOX_PROGRAM_MISSING: {
    ...sandbox,
    meaning: 'A program that was to be started in the sandbox does not exist there.',
    model: 'A program is missing in the sandbox.',
    chat: 'A program is missing in the sandbox.',
  },
  SANDBOX_SPAWN_FAILED: {
    ...sandbox,
    retry: true,
    meaning: 'No process could be started in the sandbox, for example because its process limit is used up.',
    model: 'No process could be started in the sandbox; end some that run there.',
    chat: 'No process could be started in the sandbox. Too many may be running there.',
  },
  SANDBOX_NO_BASH: {
    ...sandbox,
    meaning:
      'The image has no bash, or one older than 4.4, or lacks mkdir, mkfifo or cat; without them no command can run.',
    model: 'The sandbox has no usable bash; only the operator can change its image.',
    chat: 'The image of this sandbox has no usable bash. The operator has to choose another.',
  },
  SANDBOX_CWD_MISSING: {
    ...sandbox,
    actor: 'user',
    http: 404,
    meaning: 'The folder given for a command does not exist, or cannot be entered; the command was not run.',
    model: 'The working directory does not exist; nothing was run.',
    chat: 'That folder does not exist; nothing was run.',
  },
  SANDBOX_FILE_MISSING: {
    ...sandbox,
    actor: 'user',
    http: 404,
    meaning: 'There is no such file in the sandbox.',
    model: 'There is no such file.',
    chat: 'There is no such file.',
  },
  USAGE_HOST_FILE: {
    actor: 'user',
    retry: false,
    exit: 74,
    http: 400,
    meaning:
      'A file of this machine that was to be copied into or out of a sandbox cannot be read or written.',
    model: 'The copy failed on the side of the gateway.',
    chat: 'That file could not be copied.',
  },
  SANDBOX_FILE_REFUSED: {
    ...sandbox,
    actor: 'user',
    http: 403,
    meaning: 'A file in the sandbox cannot be read or written: permission, a folder, a full disk.',
    model: 'The file cannot be read or written; the message says why.',
    chat: 'That file cannot be read or written.',
  },
  SANDBOX_PROCESS_UNKNOWN: {
    ...sandbox,
    actor: 'user',
    http: 404,
    meaning: 'There is no background process with this id in the sandbox.',
    model: 'There is no such background process.',
    chat: 'There is no such background process.',
  },
  BUG_UNEXPECTED: {
    meaning: 'Something failed that nobody foresaw. Please report it.',
    actor: 'developer',
    retry: false,
    exit: 70,
    http: 500,
    model: 'An internal error occurred; the outcome is unknown.',
    chat: 'Something went wrong inside Hermes. The operator finds the details in the log.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorCodes;
