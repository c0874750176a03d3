// The command lines of the ssh program, as data.

/** The machine, as the operator described it; what is absent is decided by their own ssh configuration. */
export interface Target {
  readonly host: string;
  readonly user?: string;
  readonly port?: number;
  readonly keyFile?: string;
  /** Instead of the usual configuration files. */
  readonly configFile?: string;
}

export type Argv = readonly [string, ...string[]];

const PERSIST_SECONDS = 300;
export const CONNECT_SECONDS = 10;
const ALIVE_SECONDS = 15;
const ALIVE_COUNT = 3;

/** Prints what ssh has made of its configuration for this target. */
export function resolveArguments(target: Target): Argv {
  return ['ssh', '-G', ...targetArguments(target), '--', target.host];
}

export interface MasterOptions {
  readonly socket: string;
  /** All files with host keys; new ones go into the first. */
  readonly knownHosts: string;
  readonly strict: 'yes' | 'accept-new';
}

/** Connects, and stays in the background for as long as it is used and a while longer. */
export function masterArguments(target: Target, { socket, knownHosts, strict }: MasterOptions): Argv {
  const options = {
    ControlMaster: 'yes',
    ControlPath: escapeTokens(socket),
    ControlPersist: PERSIST_SECONDS,
    BatchMode: 'yes',
    StrictHostKeyChecking: strict,
    UserKnownHostsFile: knownHosts,
    // Keys that the server offers besides would be asked about, or added without having been pinned.
    UpdateHostKeys: 'no',
    ConnectTimeout: CONNECT_SECONDS,
    ServerAliveInterval: ALIVE_SECONDS,
    ServerAliveCountMax: ALIVE_COUNT,
    ForwardAgent: 'no',
    ForwardX11: 'no',
    ClearAllForwardings: 'yes',
    PermitLocalCommand: 'no',
    RemoteCommand: 'none',
    RequestTTY: 'no',
    LogLevel: 'ERROR',
  };
  return ['ssh', '-f', '-N', ...flags(options), ...targetArguments(target), '--', target.host];
}

/**
 * One session over a connection that is there. Should it be refused there, ssh would make a connection of its own;
 * a proxy that fails stops it, so that the caller hears of the refusal.
 */
export function sessionArguments(socket: string, command: string): Argv {
  const options = {
    ControlMaster: 'no',
    ControlPath: escapeTokens(socket),
    ProxyCommand: 'false',
    BatchMode: 'yes',
    RequestTTY: 'no',
    LogLevel: 'ERROR',
  };
  return ['ssh', '-F', 'none', ...flags(options), '--', 'hermes', command];
}

/** Asks the process that holds a connection whether it lives, or tells it to end. */
export function controlArguments(socket: string, request: 'check' | 'exit'): Argv {
  return [
    'ssh',
    '-F',
    'none',
    ...flags({ ControlPath: escapeTokens(socket) }),
    '-O',
    request,
    '--',
    'hermes',
  ];
}

/** A list of files for one option: our own first, then what ssh itself has printed. */
export function fileList(own: string, others: string): string {
  const quoted = `"${escapeTokens(own).replaceAll(/["\\]/g, '\\$&')}"`;
  return others === '' ? quoted : `${quoted} ${others}`;
}

function targetArguments({ user, port, keyFile, configFile }: Target): string[] {
  return [
    ...(configFile === undefined ? [] : ['-F', configFile]),
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(keyFile === undefined
      ? []
      : flags({ IdentityFile: `"${escapeTokens(keyFile)}"`, IdentitiesOnly: 'yes' })),
  ];
}

function flags(options: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** ssh replaces %h and the like in paths. */
function escapeTokens(path: string): string {
  return path.replaceAll('%', '%%');
}
