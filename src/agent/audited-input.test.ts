import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../base/redact/redactor.ts';
import { auditedInput } from './audited-input.ts';

const { redact } = createRedactor({ secrets: ['correct-horse-battery'], shapes: 'on' });
const audited = (input: unknown) =>
  auditedInput(typeof input === 'string' ? input : JSON.stringify(input), redact);

describe('what the audit keeps of a call', () => {
  it('P7: is all of it, redacted, lines and all', async () => {
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${'b3BlbnNzaC1rZXktdjEAAAAA\n'.repeat(6)}-----END OPENSSH PRIVATE KEY-----`;
    const content = `one\ncorrect-horse-battery\n${key}\nlast`;
    const { input, cut } = await audited({
      path: 'x',
      content,
      replace_all: true,
      list: [1, 'correct-horse-battery'],
    });
    expect(input).toMatchObject({ path: 'x', replace_all: true, list: '[1,"[redacted:known]"]' });
    expect(JSON.stringify(input)).toMatch(/one\\n\[redacted:known\]\\n.*last/);
    expect(JSON.stringify(input)).not.toContain('b3BlbnNz');
    expect(cut).toBeUndefined();
  });

  it('P7: hides secrets in the names that the model chose', async () => {
    expect((await audited({ 'correct-horse-battery': 1 })).input).toEqual({ '[redacted:known]': 1 });
  });

  it('of a long text has both ends, and the hash of all of it', async () => {
    const code = `first\n${'x = 1\n'.repeat(10_000)}last`;
    const { input, cut } = await audited({ code });
    expect(JSON.stringify(input).length).toBeLessThan(20_000);
    expect(JSON.stringify(input)).toMatch(/first\\n.*left out.*last/);
    expect(cut).toEqual({
      code: { bytes: code.length, sha256: createHash('sha256').update(code).digest('hex') },
    });
  });

  it('is the text where that is no JSON, or no object', async () => {
    expect((await audited('{"code": "correct-horse-battery')).input).toBe('{"code": "[redacted:known]');
    expect((await audited('[1]')).input).toBe('[1]');
  });
});
