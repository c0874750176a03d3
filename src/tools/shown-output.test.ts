import { describe, expect, it } from 'vitest';
import { keptText, shownOutput } from './shown-output.ts';

describe('shownOutput', () => {
  it('shows of a line that was written over what a terminal still shows', () => {
    expect(shownOutput('a\r\n10%\r20%\r\nb\rc\n')).toBe('a\n20%\nc\n');
  });
});

describe('keptText', () => {
  it('drops the lines that the cut goes through, so that no half secret stands there', () => {
    const bytes = Buffer.from(
      `${'one\ntwo\nhalf-sec'.padEnd(40, '!')}${'ret-half\nlast\n'.padStart(60, '!')}`,
    );
    const text = keptText({ bytes, total: 1_000 }, 100);
    expect(text).toBe('one\ntwo\n… the middle of 1000 bytes was not kept …\nlast\n');
  });

  it('keeps nothing of a short piece that is all one line', () => {
    const bytes = Buffer.from('half-secret'.padEnd(100, '!'));
    expect(keptText({ bytes, total: 1_000 }, 100)).toBe('\n… the middle of 1000 bytes was not kept …\n');
  });

  it('drops what is next to the cut of a line without end', () => {
    const bytes = Buffer.alloc(1_000_000, 'x');
    const text = keptText({ bytes, total: 9_000_000 }, 1_000_000);
    expect(text.length).toBeLessThan(1_000_000 - 2 * 65_000);
    expect(text.startsWith('xxx')).toBe(true);
    expect(text.endsWith('xxx')).toBe(true);
  });
});
