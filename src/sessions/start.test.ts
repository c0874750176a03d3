import { describe, expect, it } from 'vitest';
import { forwardedSecrets } from './start.ts';

describe('forwarding a variable that looks like a secret (P7)', () => {
  const origin = 'config.yaml:4';

  it('is warned about, with its name and where that was written', () => {
    const [warning = '', ...others] = forwardedSecrets({ env: { value: ['GITHUB_TOKEN', 'LANG'], origin } });
    expect(others).toEqual([]);
    expect(warning).toContain('GITHUB_TOKEN');
    expect(warning).toContain(origin);
    expect(warning).not.toContain('LANG');
  });

  it('says nothing of others', () => {
    expect(forwardedSecrets({ env: { value: ['LANG', 'MAX_TOKENS'], origin } })).toEqual([]);
  });
});
