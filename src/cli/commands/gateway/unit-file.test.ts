import { describe, expect, it } from 'vitest';
import { launchdPlist, systemdUnit, type UnitParts } from './unit-file.ts';

const parts: UnitParts = {
  node: '/opt/node 24/bin/node',
  program: '/srv/100%/$x/hermes.js',
  home: '/var/lib/her"mes',
  scope: 'system',
  user: 'hermes',
  stopSeconds: 20,
};

describe('the unit for systemd', () => {
  it('names this very Node and this home, quoted as systemd reads it', () => {
    const unit = systemdUnit(parts);
    expect(unit).toContain(
      'ExecStart="/opt/node 24/bin/node" "/srv/100%%/$$x/hermes.js" "gateway" "start"\n',
    );
    expect(unit).toContain('Environment="HERMES_HOME=/var/lib/her\\"mes"\n');
  });

  it('is started again when it fails, but not on what no new start mends', () => {
    const unit = systemdUnit(parts);
    expect(unit).toContain('Restart=on-failure\n');
    expect(unit).toContain('RestartPreventExitStatus=77 78\n');
    expect(unit).toContain('TimeoutStopSec=50\n');
  });

  it('takes from it what its sandboxes do not need, and from root no capabilities', () => {
    expect(systemdUnit(parts)).toMatch(/^NoNewPrivileges=yes$.*^CapabilityBoundingSet=$/ms);
    expect(systemdUnit({ ...parts, user: 'root' })).not.toContain('CapabilityBoundingSet');
    // They would keep bubblewrap from making namespaces and mounting /proc.
    for (const broken of ['RestrictNamespaces', 'ProtectKernelTunables', 'ProtectProc', 'ProtectHostname']) {
      expect(systemdUnit(parts)).not.toContain(broken);
    }
  });

  it('of a user runs as that user, with their own login', () => {
    const unit = systemdUnit({ ...parts, scope: 'user' });
    expect(unit).not.toContain('User=');
    expect(unit).toContain('WantedBy=default.target');
  });
});

it('the job for launchd is whole XML', () => {
  const plist = launchdPlist({ ...parts, home: '/a<b>&c' });
  expect(plist).toContain('<string>/a&lt;b&gt;&amp;c</string>');
  expect(plist).toContain('<key>UserName</key>\n  <string>hermes</string>');
  expect(launchdPlist({ ...parts, scope: 'user' })).not.toContain('UserName');
});
