import { describe, expect, it } from 'vitest';
import { identityOf } from './identity.ts';
import { section } from './settings.ts';

describe('one identity', () => {
  it.each([
    '+491701234567',
    '491701234567',
    '00491701234567',
    '+49 170 1234567',
    '+49 (0)170 123-4567',
    '+49.170.123.4567',
    ' +49/170/1234567 ',
    '491701234567@s.whatsapp.net',
  ])('%j', written => {
    expect(identityOf(written)).toBe('491701234567');
  });

  it.each([
    ['US.13491208655302741918', 'US.13491208655302741918'],
    ['US.ENT.11815799212886844830', 'US.ENT.11815799212886844830'],
    ['123456789@lid', '123456789@lid'],
    ['whatsapp:+49 170 1234567', 'whatsapp:491701234567'],
  ])('%j', (written, id) => {
    expect(identityOf(written)).toBe(id);
  });

  it.each([
    '01701234567',
    'ada',
    '+49',
    '491701234567@evil.example',
    '4917x01234567',
    '',
    '+49170123456789012',
  ])('none: %j', written => {
    expect(identityOf(written)).toBeUndefined();
  });
});

it('an allowlist in any writing names the same people, and nobody without a country code', () => {
  const { kind } = section.settings['whatsapp.allowed_users'];
  expect(kind.schema.parse(kind.fromText('+49 170 1234567, 0044 7700 900123'))).toEqual([
    '491701234567',
    '447700900123',
  ]);
  expect(kind.schema.parse([491701234567])).toEqual(['491701234567']);
  expect(kind.schema.safeParse(['0170 1234567']).success).toBe(false);
});
