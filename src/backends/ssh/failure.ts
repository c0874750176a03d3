// Why the machine cannot be used, and what to do: ssh's own words and exit code translated at this edge.
import { HermesError } from '../../base/errors.ts';
import type { Problem } from '../backend.ts';

export type FailureReason =
  | 'no-host'
  | 'no-ssh'
  | 'bad-configuration'
  | 'unknown-host'
  | 'connection-refused'
  | 'timed-out'
  | 'unreachable'
  | 'key-refused'
  | 'host-key-changed'
  | 'host-key-unknown'
  | 'sessions-refused'
  | 'no-answer'
  | 'lost'
  | 'other';

export interface Failure extends Problem {
  readonly reason: FailureReason;
}

export interface Place {
  /** As the operator wrote it. */
  readonly host: string;
  /** What it stands for, such as `deploy@10.0.0.5 port 22`. */
  readonly address: string;
  /** Where host keys are pinned. */
  readonly knownHostsFile: string;
}

/** The error of the backend for it; `output` is what ssh printed. */
export function failureError({ reason, message, fix }: Failure, output?: unknown): HermesError {
  const cause = typeof output === 'string' ? new Error(output.trim()) : output;
  return new HermesError('UNAVAILABLE_BACKEND', `${message} ${fix}`, {
    details: { reason, message, fix },
    ...(cause === undefined ? {} : { cause }),
  });
}

export const noHost: Failure = {
  reason: 'no-host',
  message: 'No machine is set for the ssh backend.',
  fix: 'Set terminal.ssh_host (TERMINAL_SSH_HOST).',
};

export const noSsh: Failure = {
  reason: 'no-ssh',
  message: 'There is no ssh program on the PATH.',
  fix: 'Install it (Debian and Ubuntu: apt install openssh-client).',
};

/** ssh has ended without a connection; its messages are the only place where it tells why. */
export function connectFailure(stderr: string, place: Place): Failure {
  const { host, address } = place;
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED|host key .*has changed/i.test(stderr))
    return keyChanged(stderr, place);
  if (/Host key verification failed|host key is known for/i.test(stderr)) {
    return {
      reason: 'host-key-unknown',
      message: `The host key of ${address} is not known, and your ssh configuration forbids to pin it by itself (StrictHostKeyChecking).`,
      fix: `Compare its fingerprint with the machine's, and add it: connect once with \`ssh ${host}\`.`,
    };
  }
  const known = CAUSES.find(([pattern]) => pattern.test(stderr));
  if (known) return known[1](place, lastLine(stderr));
  const said = lastLine(stderr);
  return {
    reason: 'other',
    message: `No connection to ${address}${said ? `: ${said}` : '.'}`,
    fix: `Try \`ssh ${host} true\` by hand.`,
  };
}

type Explain = (place: Place, said: string) => Failure;

const CAUSES: readonly (readonly [RegExp, Explain])[] = [
  [
    /Bad configuration option|bad configuration options|Missing argument|Can't open user config file/i,
    (_, said) => ({
      reason: 'bad-configuration',
      message: `ssh does not accept its configuration: ${said}.`,
      fix: 'Correct the file that it names.',
    }),
  ],
  [
    /Could not resolve hostname|Name or service not known/i,
    ({ host, address }) => ({
      reason: 'unknown-host',
      message: `There is no machine called ${host}: the name of ${address} cannot be resolved.`,
      fix: 'Correct terminal.ssh_host, or define the alias in your ssh configuration.',
    }),
  ],
  [
    /Permission denied \(|Too many authentication failures|UNPROTECTED PRIVATE KEY/i,
    ({ host, address }, said) => ({
      reason: 'key-refused',
      message: `${address} does not accept any key that was offered: ${said}.`,
      fix: `Set terminal.ssh_key to a private key without passphrase (mode 0600) or load it into an agent, put its public half into authorized_keys there (ssh-copy-id), and try \`ssh -o BatchMode=yes ${host} true\`.`,
    }),
  ],
  [
    /Connection refused/i,
    ({ address }) => ({
      reason: 'connection-refused',
      message: `Nothing answers at ${address}: connection refused.`,
      fix: 'Start sshd there, or correct terminal.ssh_port.',
    }),
  ],
  [/timed out|Timeout/i, ({ address }) => timedOut(address)],
  [
    /No route to host|Network is unreachable/i,
    ({ address }, said) => ({
      reason: 'unreachable',
      message: `${address} cannot be reached: ${said}.`,
      fix: 'Check the network between here and there.',
    }),
  ],
];

export function timedOut(address: string): Failure {
  return {
    reason: 'timed-out',
    message: `${address} did not answer in time.`,
    fix: 'Check that it is up, that a firewall lets you through, and terminal.ssh_port.',
  };
}

export function noAnswer(address: string, said: string): Failure {
  return {
    reason: 'no-answer',
    message: `${address} let us in but did not run our command${said ? `: ${said}` : '.'}`,
    fix: 'The account needs a login shell that runs commands, no ForceCommand, and startup files that neither wait nor exit.',
  };
}

export function sessionsRefused(address: string): Failure {
  return {
    reason: 'sessions-refused',
    message: `${address} accepts the connection but no session on it.`,
    fix: 'Allow sessions in its sshd_config (MaxSessions at least 1).',
  };
}

export function connectionLost(address: string): Failure {
  return {
    reason: 'lost',
    message: `The connection to ${address} breaks again and again.`,
    fix: 'Look at the log of its sshd.',
  };
}

/** Somebody else answers, or the machine was set up anew: only a person can tell. Nothing is accepted by itself. */
function keyChanged(stderr: string, { address, knownHostsFile }: Place): Failure {
  const [, file = knownHostsFile, line] = /Offending .*key in (.+):(\d+)/.exec(stderr) ?? [];
  const where = line === undefined ? file : `${file}, line ${line}`;
  return {
    reason: 'host-key-changed',
    message: `The host key of ${address} is not the one that was pinned in ${where}: another machine answers, or it was set up anew.`,
    fix: `If you know why, compare the fingerprints and remove that line; nothing is connected until then.`,
  };
}

function lastLine(text: string): string {
  const lines = text.split('\n').map(line => line.trim());
  return (lines.findLast(line => line !== '') ?? '').replace(/[.\s]+$/, '');
}
