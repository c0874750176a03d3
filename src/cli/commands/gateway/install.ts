// hermes gateway install: has the system start the gateway, and start it again when it fails.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HermesError, systemErrorCode } from '../../../base/errors.ts';
import { ifThere } from '../../../base/if-there.ts';
import { systemReason } from '../../../base/system-reason.ts';
import { type CommandContext, defineCommand } from '../../command.ts';
import { accountHome } from './account-home.ts';
import {
  LAUNCHD_LABEL,
  launchdPlist,
  systemdUnit,
  UNIT_MARK,
  UNIT_NAME,
  type UnitParts,
} from './unit-file.ts';

interface Installed {
  readonly path: string;
  readonly text: string;
  readonly written: boolean;
  /** What is still to be done, as commands. */
  readonly next: readonly string[];
}

const PROGRAM = fileURLToPath(new URL('../../../../bin/hermes.js', import.meta.url));

export const gatewayInstall = defineCommand({
  doc: 'Writes a unit for systemd, or a job for launchd on macOS, that starts the gateway with this home, starts it again when it fails, and holds it as far as its sandboxes still work. Prints the commands that put it into force.',
  flags: {
    user: { type: 'switch', doc: 'for the user who calls it; the default for all but root' },
    system: { type: 'switch', doc: 'for the whole machine, started with it; the default for root' },
    runAs: {
      type: 'text',
      value: 'user',
      doc: 'with --system: who it runs as, with the home of that account unless HERMES_HOME is set; else who called sudo, or the caller',
    },
    dryRun: { type: 'switch', doc: 'print it, write nothing' },
  },
  args: [],
  examples: [
    ['gateway install', 'for you'],
    ['gateway install --system --run-as hermes', 'for the machine, as a user of its own'],
    ['gateway install --dry-run', 'what would be written?'],
  ],
  async run({ flags }, context): Promise<Installed> {
    if (flags.user && flags.system) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', 'Give --user or --system, not both.');
    }
    const caller = userInfo();
    const scope = flags.system || (caller.uid === 0 && !flags.user) ? 'system' : 'user';
    if (flags.runAs !== undefined && scope === 'user') {
      throw new HermesError('USAGE_BAD_ARGUMENTS', '--run-as goes with --system only.');
    }
    const user = accountName(flags.runAs ?? context.environment['SUDO_USER'] ?? caller.username);
    const config = await context.config();
    const stopSeconds = Math.ceil(config.get('gateway.stop_timeout'));
    // Another account cannot use what belongs to the caller.
    const isOwn = user === caller.username || Boolean(context.environment['HERMES_HOME']);
    const home = isOwn ? config.paths.home : join(await accountHome(user, process.platform), '.hermes');
    const parts: UnitParts = { node: process.execPath, program: PROGRAM, home, scope, user, stopSeconds };
    const planned = planFor(process.platform, parts, context);
    if (scope === 'system' && user === 'root') {
      context.warn('⚠ The gateway will run as root. A user of its own is safer: --run-as NAME');
    }
    if (!flags.dryRun) await writeUnit(planned.path, planned.text);
    return { ...planned, written: !flags.dryRun };
  },
  render: ({ path, text, written, next }) =>
    written ? [`Wrote ${path}. Now run:`, ...next.map(line => `  ${line}`)].join('\n') : text.trimEnd(),
});

function accountName(name: string): string {
  if (/^[A-Za-z_][\w.-]{0,31}\$?$/.test(name)) return name;
  throw new HermesError('USAGE_BAD_ARGUMENTS', `${JSON.stringify(name)} is no name of a user.`);
}

function planFor(
  system: NodeJS.Platform,
  parts: UnitParts,
  { environment }: CommandContext,
): Omit<Installed, 'written'> {
  const isSystem = parts.scope === 'system';
  const own = environment['HOME'] || homedir();
  if (system === 'darwin') {
    const folder = isSystem ? '/Library/LaunchDaemons' : join(own, 'Library', 'LaunchAgents');
    const path = join(folder, `${LAUNCHD_LABEL}.plist`);
    return { path, text: launchdPlist(parts), next: [`launchctl load -w ${path}`] };
  }
  if (system !== 'linux') {
    throw new HermesError('USAGE_BAD_ARGUMENTS', `There is nothing to install on ${system}.`);
  }
  const base = environment['XDG_CONFIG_HOME'] || join(own, '.config');
  const path = join(isSystem ? '/etc/systemd/system' : join(base, 'systemd', 'user'), UNIT_NAME);
  const control = isSystem ? 'systemctl' : 'systemctl --user';
  const enable = [`${control} daemon-reload`, `${control} enable --now ${UNIT_NAME}`];
  // Without it a user's units end with the last login.
  const linger = isSystem ? [] : [`loginctl enable-linger ${parts.user}`];
  return { path, text: systemdUnit(parts), next: [...enable, ...linger] };
}

/** One that somebody else has written is left alone. */
async function writeUnit(path: string, text: string): Promise<void> {
  try {
    const before = await ifThere(readFile(path, 'utf8'));
    if (before !== undefined && !before.includes(UNIT_MARK)) {
      throw new HermesError('CONFIG_NOT_SAVED', `${path} was not made by Hermes. Move it away first.`);
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o644 });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const message = `${path} could not be written: ${systemReason(error)}. Try --user, or call it with sudo.`;
    throw new HermesError('CONFIG_NOT_SAVED', message, { cause: error });
  }
}
