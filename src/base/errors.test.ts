import { describe, expect, it } from 'vitest';
import { errorCodes } from './error-codes.ts';
import { asHermesError, HermesError, isHermesError, systemErrorCode } from './errors.ts';

describe('HermesError', () => {
  it('carries code, details and cause, and knows its exit code', () => {
    const cause = new Error('socket closed');
    const error = new HermesError('CONFIG_UNREADABLE', 'x cannot be read.', {
      details: { file: 'x' },
      cause,
    });
    expect(error.cause).toBe(cause);
    expect(error.exitCode).toBe(78);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'CONFIG_UNREADABLE',
      message: 'x cannot be read.',
      details: { file: 'x' },
    });
  });

  it('is recognised by code', () => {
    const error: unknown = new HermesError('CONFIG_INVALID', 'no');
    expect(isHermesError(error, 'CONFIG_INVALID')).toBe(true);
    expect(isHermesError(error, 'BUG_UNEXPECTED')).toBe(false);
    expect(isHermesError(new Error('CONFIG_INVALID'))).toBe(false);
  });

  it('calls everything unforeseen a bug and keeps it as the cause', () => {
    const cause = new TypeError('x is undefined');
    const error = asHermesError(cause);
    expect(error.code).toBe('BUG_UNEXPECTED');
    expect(error.cause).toBe(cause);
    expect(error.message).toContain('x is undefined');
    expect(asHermesError('just text').message).toContain('just text');
  });

  it('reads the code of a system error only where it is text', () => {
    expect(systemErrorCode(Object.assign(new Error(), { code: 'ENOENT' }))).toBe('ENOENT');
    expect(systemErrorCode(Object.assign(new Error(), { code: 7 }))).toBeUndefined();
    expect(systemErrorCode({ code: 'ENOENT' })).toBeUndefined();
  });
});

describe('the table of codes', () => {
  const families = ['USAGE', 'CONFIG', 'AUTH', 'UNAVAILABLE', 'SANDBOX', 'DENIED', 'BUG'];

  it.each(Object.entries(errorCodes))('%s belongs to a family and is complete', (code, kind) => {
    expect(families).toContain(code.split('_')[0]);
    for (const text of [kind.meaning, kind.model, kind.chat]) expect(text).toMatch(/[.`?]$/);
    expect(kind.exit).toBeGreaterThan(0);
    expect(kind.exit).toBeLessThan(126);
    expect(kind.http).toBeGreaterThanOrEqual(400);
  });
});
