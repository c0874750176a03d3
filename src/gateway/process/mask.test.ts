import { describe, expect, it } from 'vitest';
import { createMask } from './mask.ts';

const mask = createMask(['telegram', 'signal']);

describe('a line of the log', () => {
  it.each([
    ['{"chat":"-1001234567","msg":"x"}', '{"chat":"***67","msg":"x"}'],
    ['{"userId":123456789}', '{"userId":"***89"}'],
    ['{"requester":"telegram:123456"}', '{"requester":"telegram:***56"}'],
    ['{"actor":"cli"}', '{"actor":"cli"}'],
    ['{"person":"ab"}', '{"person":"***"}'],
    ['{"sender":"a\\"bcdef"}', '{"sender":"***ef"}'],
    ['{"msg":"telegram:123456:789012 wrote"}', '{"msg":"telegram:***56:***12 wrote"}'],
    ['{"msg":"call +49 170 1234567 now"}', '{"msg":"call ***67 now"}'],
    ['{"msg":"signal:+491701234567"}', '{"msg":"signal:***67"}'],
  ])('%s hides who it is', (line, masked) => {
    expect(mask(line)).toBe(masked);
    expect(mask(masked)).toBe(masked);
  });

  it.each([
    '{"session":"abcdefgh23456789","run":"run23456","event":"e-1","time":"2025-11-15T10:00:00.000Z"}',
    '{"msg":"exit +1, 1234567 bytes, listens on http://127.0.0.1:8377"}',
    '{"durationMs":1234567890,"pid":4711}',
  ])('%s stays as it is', line => {
    expect(mask(line)).toBe(line);
  });
});
