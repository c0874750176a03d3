// What systemd and launchd are told about the gateway. Pure: the text is made from what is given.

export interface UnitParts {
  /** Of the Node that runs this; absolute, so that no other one is found first. */
  readonly node: string;
  /** `bin/hermes.js`, absolute. */
  readonly program: string;
  readonly home: string;
  readonly scope: 'user' | 'system';
  /** Who it runs as, with `system`. */
  readonly user: string;
  readonly stopSeconds: number;
}

/** What makes systemd give up instead of trying for ever: a mistake in the settings, a token that is refused. */
const HOPELESS = [77, 78];
/** What a stop takes besides the time for runs. */
const GRACE_SECONDS = 30;
export const UNIT_MARK = 'Made by: hermes gateway install';
export const UNIT_NAME = 'hermes-gateway.service';
export const LAUNCHD_LABEL = 'hermes.gateway';

/** Holds the gateway itself as far as its sandboxes still work: bubblewrap needs namespaces and a whole /proc. */
export function systemdUnit(parts: UnitParts): string {
  const { node, program, home, scope, user, stopSeconds } = parts;
  const isSystem = scope === 'system';
  const isRoot = isSystem && user === 'root';
  const lines = [
    `# ${UNIT_MARK}. Changes are lost with the next one; use: systemctl ${isSystem ? '' : '--user '}edit ${UNIT_NAME}`,
    '[Unit]',
    'Description=Hermes gateway',
    ...(isSystem ? ['Wants=network-online.target', 'After=network-online.target docker.service'] : []),
    'StartLimitIntervalSec=300',
    'StartLimitBurst=10',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${[node, program, 'gateway', 'start'].map(each => word(each)).join(' ')}`,
    `Environment=${word(`HERMES_HOME=${home}`, 'environment')}`,
    ...(isSystem ? [`User=${user}`] : []),
    'Restart=on-failure',
    'RestartSec=2',
    `RestartPreventExitStatus=${HOPELESS.join(' ')}`,
    'SuccessExitStatus=143',
    'KillMode=mixed',
    `TimeoutStopSec=${stopSeconds + GRACE_SECONDS}`,
    'Delegate=yes',
    'UMask=0077',
    ...hardening(isSystem, isRoot),
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user.target' : 'default.target'}`,
    '',
  ];
  return lines.join('\n');
}

function hardening(isSystem: boolean, isRoot: boolean): string[] {
  return [
    'NoNewPrivileges=yes',
    'LockPersonality=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'SystemCallArchitectures=native',
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
    // A user's own systemd cannot do these.
    ...(isSystem ? ['ProtectSystem=full', 'ProtectClock=yes', 'ProtectKernelModules=yes'] : []),
    // Root drops to another user for its sandboxes, and needs capabilities for that.
    ...(isSystem && !isRoot ? ['CapabilityBoundingSet='] : []),
  ];
}

/** Quoted for systemd: `%` begins a specifier, and in a command line `$` a variable. */
function word(text: string, kind: 'command' | 'environment' = 'command'): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
  return `"${kind === 'command' ? escaped.replaceAll('$', '$$$$') : escaped}"`;
}

export function launchdPlist({ node, program, home, scope, user, stopSeconds }: UnitParts): string {
  const strings = [node, program, 'gateway', 'start'].map(text => `    <string>${xml(text)}</string>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${UNIT_MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${strings.join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>HERMES_HOME</key>
    <string>${xml(home)}</string>
  </dict>
${scope === 'system' ? `  <key>UserName</key>\n  <string>${xml(user)}</string>\n` : ''}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>${stopSeconds + GRACE_SECONDS}</integer>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
