// What is sent to the remote machine to be run: scripts for sh, quoted for whatever login shell the account has.
import { readFileSync } from 'node:fs';

export type ScriptName = 'create' | 'attach' | 'list' | 'spawn' | 'kill' | 'destroy' | 'facts';

export interface RemoteScript {
  readonly script: ScriptName;
  readonly args: readonly string[];
  /** Tags the script and all it starts as belonging to this sandbox. */
  readonly sandbox?: string;
}

/** The line for the login shell; the script's answer begins with the nonce. */
export function remoteCommand({ script, args, sandbox }: RemoteScript, nonce: string): string {
  const tag = sandbox === undefined ? [] : ['env', `HERMES_SANDBOX=${sandbox}`];
  const text = readScript('begin') + readScript(script);
  const words = [...tag, 'sh', '-c', text, 'hermes', nonce, ...args];
  return `exec ${words.map(quoteForLogin).join(' ')}`;
}

/** The bash part of `destroy`, which is handed to it as an argument. */
export function endingScript(): string {
  return readScript('end-processes');
}

/**
 * One word for POSIX shells and fish alike: inside single quotes fish gives the backslash a meaning, so that stands
 * outside of them, as the quote itself does.
 */
export function quoteForLogin(word: string): string {
  return /^[A-Za-z0-9_./:-]+$/.test(word) ? word : `'${word.replaceAll(/['\\]/g, "'\\$&'")}'`;
}

function readScript(name: string): string {
  const text = readFileSync(new URL(`./shell/${name}.sh`, import.meta.url), 'utf8');
  // Comments need not travel with every command.
  return text.replaceAll(/^ *#.*\n/gm, '');
}
