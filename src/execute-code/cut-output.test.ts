import { describe, expect, it } from 'vitest';
import { cutOutput, outputBuffer } from './cut-output.ts';

const same = (text: string): string => text;

function cut(text: string, limit: number, redact = same): Promise<string> {
  const buffer = outputBuffer(limit);
  buffer.push(Buffer.from(text));
  return cutOutput(buffer, limit, redact);
}

describe('output', () => {
  it('is whole while it fits', async () => {
    expect(await cut('é'.repeat(50), 100)).toBe('é'.repeat(50));
  });

  it.each([1_000, 1_000_000])('of %i bytes has its beginning, its end and the true count', async size => {
    const text = `begin${'x'.repeat(size - 8)}end`;
    expect(await cut(text, 100)).toBe(
      `begin${'x'.repeat(35)}\n… ${size - 100} bytes left out …\n${'x'.repeat(57)}end`,
    );
  });

  it('is never cut within a secret that is still to be found (P7)', async () => {
    const secret = 'S3CRET'.repeat(100);
    for (const shift of [0, 1, 20, 300, 599, 600]) {
      const text = `${'a'.repeat(40 - Math.min(40, shift))}${secret}${'b'.repeat(300_000)}${secret}${'c'.repeat(shift)}`;
      expect(await cut(text, 100, all => all.replaceAll(secret, '*'))).not.toContain('S3C');
    }
  });

  it('cuts no character in two', async () => {
    expect(await cut('é'.repeat(200_000), 101)).toBe(
      `${'é'.repeat(20)}\n… 399900 bytes left out …\n${'é'.repeat(30)}`,
    );
  });
});
