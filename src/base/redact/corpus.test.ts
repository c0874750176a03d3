// The corpora: no secret gets out (P7), and what only looks like one is left alone.
import { describe, expect, it } from 'vitest';
import { lookAlikes } from '../../../test/fixtures/redaction/look-alikes.ts';
import { secretSamples } from '../../../test/fixtures/redaction/secrets.ts';
import { createRedactor } from './redactor.ts';

const redactor = createRedactor({ secrets: [], shapes: 'on' });
const samples = secretSamples(1);
const harmless = lookAlikes(1);

/** What marks say themselves is no leak. */
function withoutMarks(text: string): string {
  return text.replaceAll(/\[redacted:[\w-]+\]/g, '');
}

/** The longest part of the secret that is still there. */
function leak(secret: string, text: string): string {
  for (let length = secret.length; length >= 4; length--) {
    for (let at = 0; at + length <= secret.length; at++) {
      const part = secret.slice(at, at + length);
      if (text.includes(part)) return part;
    }
  }
  return '';
}

describe('secrets (P7)', () => {
  it('the corpus has 100 secrets of 30 kinds', () => {
    expect(samples.length).toBeGreaterThanOrEqual(100);
    expect(new Set(samples.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(30);
  });

  it.each(samples.map(({ kind, text, secret }, row) => [row, kind, text, secret] as const))(
    '%i: a %s is gone',
    (_row, kind, text, secret) => {
      const shown = redactor.redact(text);
      expect(withoutMarks(shown)).not.toContain(secret);
      // Four letters of a word may stand elsewhere in the text; of a random token nothing may be left.
      const allowed = leak(secret, text.replaceAll(secret, ''));
      expect(leak(secret, withoutMarks(shown)).length, shown).toBeLessThanOrEqual(
        Math.max(allowed.length, 5),
      );
      expect(shown).toContain(`[redacted:${kind}]`);
    },
  );

  it('are gone whatever their letters are', () => {
    for (let seed = 2; seed < 60; seed++) {
      const left = secretSamples(seed).filter(({ text, secret }) =>
        withoutMarks(redactor.redact(text)).includes(secret),
      );
      expect(left.map(({ kind, secret }) => `${seed} ${kind}: ${secret}`)).toEqual([]);
    }
  });

  it('what has been redacted stays as it is', () => {
    for (const { text } of samples) {
      const once = redactor.redact(text);
      expect(redactor.redact(once)).toBe(once);
    }
  });
});

describe('look-alikes', () => {
  it('the corpus has 100', () => {
    expect(harmless.length).toBeGreaterThanOrEqual(100);
  });

  it.each(harmless.map(text => [text]))('%j is untouched', text => {
    expect(redactor.redact(text)).toBe(text);
  });

  it('are untouched whatever their letters are', () => {
    for (let seed = 2; seed < 60; seed++) {
      expect(lookAlikes(seed).filter(text => redactor.redact(text) !== text)).toEqual([]);
    }
  });
});
