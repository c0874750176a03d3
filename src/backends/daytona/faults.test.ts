import { describe, expect, it } from 'vitest';
import { ApiFault, creationError, explain } from './faults.ts';

const place = { apiUrl: 'https://app.daytona.io/api', target: 'eu' };

describe('what the API answers instead', () => {
  it.each([
    [undefined, 'ECONNREFUSED', 'unreachable', 'UNAVAILABLE_BACKEND'],
    [401, 'Invalid credentials', 'bad-key', 'UNAVAILABLE_BACKEND'],
    [403, 'Total memory limit exceeded. Maximum allowed: 20.', 'quota', 'SANDBOX_NOT_CREATED'],
    [403, 'Organization is suspended: Credit card required', 'quota', 'SANDBOX_NOT_CREATED'],
    [403, 'Access denied', 'not-allowed', 'UNAVAILABLE_BACKEND'],
    [429, 'Too Many Requests', 'rate-limit', 'SANDBOX_NOT_CREATED'],
    [400, 'No available runners', 'region-full', 'SANDBOX_NOT_CREATED'],
    [400, 'Invalid image', 'refused', 'SANDBOX_NOT_CREATED'],
    [503, '', 'service', 'UNAVAILABLE_BACKEND'],
  ])('%s %s is %s', (status, message, reason, code) => {
    const fault = new ApiFault(status, message);
    const explained = explain(fault, place);
    expect(explained.reason).toBe(reason);
    expect(explained.fix).not.toBe('');
    expect(creationError('hermes-a', explained, fault)).toMatchObject({ code, details: { reason } });
  });
});
