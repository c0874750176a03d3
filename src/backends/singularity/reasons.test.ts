import { describe, expect, it } from 'vitest';
import { adviceFor, type Findings } from './reasons.ts';

const fine: Findings = {
  ...{ unprivilegedUserns: '1', mostUserns: '1000', apparmorRestricts: undefined },
  ...{ persistent: false, network: 'none' },
};

describe('why no instance starts', () => {
  it.each<[Partial<Findings>, string, string]>([
    [{ mostUserns: '0' }, 'user.max_user_namespaces is 0', 'sysctl -w user.max_user_namespaces=15000'],
    [{ unprivilegedUserns: '0' }, 'unprivileged_userns_clone is 0', 'unprivileged_userns_clone=1'],
    [{ apparmorRestricts: '1' }, 'AppArmor', 'apparmor_restrict_unprivileged_userns=0'],
    [{ network: 'bridge' }, 'the network bridge could not be had', 'allow net users'],
    [{ persistent: true }, 'did not start', 'terminal.container_persistent to false'],
    [{}, 'did not start', 'squashfuse or fuse-overlayfs, install them'],
  ])('%o', (found, reason, fix) => {
    const advice = adviceFor({ ...fine, ...found }, 'no way.');
    expect(advice.reason).toContain(reason);
    expect(advice.reason).toMatch(/It says: no way$/);
    expect(advice.fix).toContain(fix);
  });
});
