// What the model is told about its place is what was decided about it.
import { describe, expect, it } from 'vitest';
import { exposureOf } from '../risk/exposure.ts';
import type { SandboxPolicy } from '../sessions/policy.ts';
import { type PromptFacts, systemPrompt } from './system-prompt.ts';

const by = <T>(value: T) => ({ value, origin: 'test' });
const contained: SandboxPolicy = {
  backend: by('bubblewrap'),
  isolation: 'container',
  image: by(null),
  network: by('none'),
  limits: by({ cpus: 1, memoryMiB: 512, diskMiB: 1024, processes: 256 }),
  mounts: by([]),
  env: by([]),
  lifetimeSeconds: by(3600),
  retentionSeconds: by(604_800),
  persistent: by(true),
  persistentShell: by(true),
  timeoutSeconds: by(180),
  sudo: by(false),
};

function prompt(change: Partial<SandboxPolicy> = {}, facts: Partial<PromptFacts> = {}): string {
  const policy = { ...contained, ...change };
  const exposure = exposureOf(policy, { isDisposable: false });
  return systemPrompt({
    place: {
      kind: 'sandbox',
      policy,
      exposure,
      limits: 'cpu 1: enforced; disk 9 MiB: not enforced here (this sandbox)',
    },
    approvals: 'manual',
    platform: 'telegram',
    now: Date.UTC(2026, 0, 2, 23),
    canSendFiles: true,
    canAsk: true,
    ...facts,
  });
}

describe('the system prompt', () => {
  it('says where commands run, what they reach and what stays', () => {
    const said = prompt();
    for (const part of [
      'bubblewrap',
      'no network',
      'No folder of the host',
      '1 hour',
      '7 days',
      '2026-01-02',
      'telegram',
    ])
      expect(said).toContain(part);
    expect(said).toContain('Nobody is asked before a command runs');
    expect(said).toContain('Limits: cpu 1: enforced; disk 9 MiB: not enforced here (this sandbox).');
  });

  it('says how a command becomes root, or that it cannot', () => {
    const local = { isolation: 'none', backend: by('local') } as const;
    expect(prompt(local)).toContain('sudo works only where it needs no password');
    expect(prompt({ ...local, sudo: by(true) })).toContain('Use plain sudo');
    const policy = contained;
    const exposure = exposureOf(policy, { isDisposable: false });
    const root = 'Nothing here can become root.';
    const place = { kind: 'sandbox', policy, exposure, root, limits: 'cpu 1: enforced' } as const;
    expect(prompt({}, { place })).toContain('Nothing here can become root.');
  });

  it('says that nothing is contained where nothing is', () => {
    const said = prompt({ isolation: 'none', backend: by('local'), network: by('open') });
    expect(said).toContain('directly on the machine of the gateway');
    expect(said).toContain('an owner is asked');
    expect(said).not.toMatch(/suspended|removed with all|No folder of the host|belongs to this conversation/);
  });

  it('says what is mounted, seen, open, and asked because of it', () => {
    const said = prompt({ mounts: by(['/srv/x:/data:ro']), env: by(['DEPLOY_KEY']), network: by('open') });
    for (const part of ['/srv/x:/data:ro', 'DEPLOY_KEY', 'The network is open', 'an owner is asked'])
      expect(said).toContain(part);
    expect(prompt({ network: by('open') }, { approvals: 'off' })).toContain('Nobody is asked');
  });

  it('says that files are lost where they are', () => {
    expect(prompt({ persistent: by(false) })).toContain('removed with all its files');
    expect(prompt({ persistentShell: by(false) })).toContain('do not stay');
  });

  it('says that nothing can run where nothing can', () => {
    const said = prompt({}, { place: { kind: 'none', reason: 'No backend works here.' }, canAsk: false });
    expect(said).toContain('No command can run at the moment: No backend works here.');
    expect(said).toContain('Nobody can answer questions');
  });
});
