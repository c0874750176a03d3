import { describe, expect, it } from 'vitest';
import type { Enforcement } from '../backends/backend.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { limitsText, limitWords } from './limit-words.ts';
import { policyHash, type SandboxPolicy } from './policy.ts';

const by = <T>(value: T) => ({ value, origin: 'test' });
const policy: SandboxPolicy = {
  backend: by('docker'),
  isolation: 'container',
  image: by('image'),
  network: by('none'),
  limits: by({ cpus: 1, memoryMiB: 512, diskMiB: 1024, processes: 256 }),
  mounts: by([]),
  env: by([]),
  lifetimeSeconds: by(3600),
  retentionSeconds: by(7200),
  persistent: by(true),
  persistentShell: by(true),
  timeoutSeconds: by(180),
  sudo: by(false),
};
const enforcement: Enforcement = { cpus: 'enforced', memory: 'soft', disk: 'none', processes: 'enforced' };
const entryOf = (of: SandboxPolicy, held: Enforcement | null) =>
  ({ policy: of, policyHash: policyHash(of), enforcement: held }) as LedgerEntry; // no other column is read

describe('the words of limits', () => {
  it('are enforced, watched or not enforced here, as the driver found', () => {
    const parts = {
      limits: policy.limits.value,
      timeoutSeconds: 180,
      isolation: 'container',
      enforcement,
    } as const;
    const words =
      'cpu 1: enforced; memory 512 MiB: watched; disk 1024 MiB: not enforced here; processes 256: enforced';
    expect(limitWords(parts)).toBe(`${words}; /tmp: no limit of its own; time of a command 180 s: enforced`);
    expect(limitWords({ ...parts, enforcement: { ...enforcement, tmpMiB: 512 } })).toContain(
      '; /tmp 512 MiB: enforced;',
    );
  });

  it('never call what is unlimited enforced', () => {
    const limits = { cpus: 0, memoryMiB: 0, diskMiB: 0, processes: 0 };
    const all = { cpus: 'enforced', memory: 'enforced', disk: 'enforced', processes: 'enforced' } as const;
    const said = limitWords({ limits, isolation: 'container', enforcement: all });
    expect(said).toBe(
      'cpu: no limit; memory: no limit; disk: no limit; processes: no limit; /tmp: no limit of its own',
    );
  });

  it('say that nothing holds where nothing contains, and no word where nothing is known', () => {
    const limits = policy.limits.value;
    expect(limitWords({ limits, isolation: 'none' }).match(/not enforced here/g)).toHaveLength(4);
    expect(limitWords({ limits, isolation: 'container' })).toBe(
      'cpu 1; memory 512 MiB; disk 1024 MiB; processes 256',
    );
  });

  it('are those of the sandbox that exists, also after the settings have changed', () => {
    const changed = { ...policy, limits: by({ ...policy.limits.value, cpus: 2 }), timeoutSeconds: by(60) };
    const said = limitsText({ policy: changed, entry: entryOf(policy, enforcement) });
    expect(said).toMatch(/^cpu 1: enforced;.* 60 s: enforced \(this sandbox\)$/);
    expect(limitsText({ entry: entryOf(policy, null) })).toMatch(/^cpu 1; .*\(this sandbox; it is older/);
  });

  it('are those of the settings while there is no sandbox, with what held in one that they made', () => {
    const known = new Map([[policyHash(policy), enforcement]]);
    expect(limitsText({ policy, known })).toMatch(
      /^cpu 1: enforced;.*\(current settings, as in the newest sandbox/,
    );
    expect(limitsText({ policy })).toMatch(
      /^cpu 1; .*\(current settings; what holds is known once a sandbox/,
    );
    expect(limitsText({ policy: { ...policy, isolation: 'none' } })).toMatch(
      /^cpu 1: not enforced here;.*\(current settings\)$/,
    );
    expect(limitsText({})).toBeUndefined();
  });
});
