// Long texts are searched beside the main thread, with the same result; what could not be searched does not get out (P7).
import { describe, expect, it } from 'vitest';
import { longestSlice } from '../../../test/cpu.ts';
import { manualClock } from '../../../test/fixtures/manual-clock.ts';
import { drawFrom } from '../../../test/fixtures/redaction/parts.ts';
import { secretSamples } from '../../../test/fixtures/redaction/secrets.ts';
import { until } from '../../../test/wait.ts';
import { createRedactor } from './redactor.ts';
import { WITHHELD_MARK } from './withheld.ts';

const draw = drawFrom(41);
const secret = draw('alnum', 32);
const options = { secrets: [secret, 'first line\nsecond line'], shapes: 'on' } as const;
const samples = secretSamples(3)
  .map(({ text }) => `${text}\n${'and some plain words after it\n'.repeat(12)}`)
  .join('');
const long = samples.repeat(Math.ceil(300_000 / samples.length));

/** The module beside the fixtures. */
function server(name: string): string {
  return new URL(`../../../test/fixtures/redaction/servers/${name}.ts`, import.meta.url).href;
}

describe('a long text', () => {
  const redactor = createRedactor(options);

  it('comes out as a short one does', async () => {
    expect(await redactor.redactLong(long)).toBe(redactor.redact(long));
    expect(await redactor.redactLong(`a ${secret}`)).toBe('a [redacted:known]');
  });

  it('comes out the same in pieces of any size, in their order', async () => {
    for (const size of [7_001, 70_000, 1_000_000]) {
      const stream = redactor.longStream();
      const pieces = long.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      const shown = [...pieces.map(piece => stream.push(piece)), stream.flush()];
      expect((await Promise.all(shown)).join('')).toBe(redactor.redact(long));
    }
  });

  it.each(['eyJ--', '-----END PRIVATE KEY-----', 'otp:', 'basic%20-', `${'A'.repeat(64)}\n`])(
    'keeps the main thread for no more than 50 ms at once, also of %j',
    async part => {
      const megabyte = part.repeat(Math.ceil(1_000_000 / part.length));
      await redactor.redactLong(long);
      expect(await longestSlice(() => redactor.redactLong(megabyte))).toBeLessThan(50);
      const stream = redactor.longStream();
      expect(
        await longestSlice(async () => {
          for (const piece of megabyte.match(/[\s\S]{1,65536}/g) ?? []) await stream.push(piece);
          await stream.flush();
        }),
      ).toBeLessThan(50);
    },
  );

  it('is withheld from the first megabyte on where it has to be done at once', () => {
    const shown = redactor.redact(`${'plain words\n'.repeat(100_000)}${secret}`);
    expect(shown).not.toContain(secret);
    expect(shown.endsWith(WITHHELD_MARK)).toBe(true);
    expect(shown.startsWith('plain words\n'.repeat(80_000))).toBe(true);
  });
});

describe('a text that could not be searched', () => {
  it.each(['broken', 'leaving', 'missing'])('is withheld, and so is the next: %s', async name => {
    const redactor = createRedactor({ ...options, server: server(name) });
    for (let turn = 0; turn < 2; turn++) {
      const shown = await redactor.redactLong(long);
      expect(shown).toContain(WITHHELD_MARK);
      expect(shown.replaceAll(WITHHELD_MARK, '').trim()).toBe('');
    }
    expect(await redactor.redactLong('short')).toBe('short');
  });

  it('is withheld when the time is over', async () => {
    const clock = manualClock();
    const redactor = createRedactor({ ...options, server: server('silent'), clock });
    const stream = redactor.longStream();
    const shown = Promise.all([
      stream.push(`${'x '.repeat(50_000)}\n`),
      stream.push('short\n'),
      stream.flush(),
    ]);
    await until(() => clock.pending().length > 0, 'the search has begun');
    clock.advance(10_000);
    expect((await shown).join('')).toBe(`${WITHHELD_MARK}short\n`);
  });

  it('takes with it what begins in it and goes on afterwards', async () => {
    const redactor = createRedactor({ ...options, server: server('broken') });
    const stream = redactor.longStream();
    const body = Array.from({ length: 6 }, () => draw('base64', 64));
    const begin = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
    const shown = [
      await stream.push(`${'x '.repeat(50_000)}\n${begin}\n${body[0]}\n`),
      await stream.push(`${body.slice(1).join('\n')}\nplain words\n`),
      await stream.flush(),
    ].join('');
    expect(body.filter(line => shown.includes(line))).toEqual([]);
    expect(shown.endsWith('plain words\n')).toBe(true);
  });
});
