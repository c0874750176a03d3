import { describe, expect, it } from 'vitest';
import { Input } from './input.ts';
import { Output } from './output.ts';

describe('input', () => {
  it('goes by lines where it is short text, and by count where it is not', async () => {
    const sent: string[] = [];
    const input = new Input(data => sent.push(Buffer.from(data).toString('latin1')));
    await input.write(Buffer.from('one\n two\nrest'));
    await input.write(Buffer.from('a\0b'));
    input.end();
    await input.write(Buffer.alloc(0));
    expect(sent.filter(text => text !== '')).toEqual(['lone\nl two\nprest\n', 'i3\na\0b', 'e\n']);
  });

  it('waits until the other side has taken what is under way, or takes none', async () => {
    let sent = 0;
    const input = new Input(data => {
      sent += data.length;
    });
    let isTaken = false;
    const writing = input.write(Buffer.alloc(2_000_000)).then(() => {
      isTaken = true;
    });
    await new Promise(resolve => setImmediate(resolve));
    expect(sent).toBeLessThan(600_000);
    input.taken(100_000);
    await new Promise(resolve => setImmediate(resolve));
    expect(isTaken).toBe(false);
    input.close();
    await writing;
    expect(sent).toBeLessThan(800_000);
  });
});

describe('output', () => {
  const open = (acknowledged: number[] = []) => {
    let isEnded = false;
    const output = new Output({
      stream: 'stdout',
      acknowledge: bytes => acknowledged.push(bytes),
      onEnd: () => {
        isEnded = true;
      },
    });
    return { output, isEnded: () => isEnded };
  };

  it('is acknowledged when it was taken, not when it came', async () => {
    const acknowledged: number[] = [];
    const { output } = open(acknowledged);
    output.push(Buffer.alloc(40_000));
    const held = Promise.withResolvers<void>();
    output.listen(() => held.promise);
    output.push(Buffer.alloc(40_000));
    expect(acknowledged).toEqual([]);
    held.resolve();
    await expect.poll(() => acknowledged).toEqual([40_000, 40_000]);
  });

  it('is over at the mark, however it is cut, and has nothing of it', () => {
    for (let cut = 0; cut <= 12; cut++) {
      const { output, isEnded } = open();
      const heard: string[] = [];
      output.listen((_, data) => heard.push(Buffer.from(data).toString()));
      output.push(Buffer.from('MARK before '));
      output.endAt('MARK');
      const bytes = Buffer.from('MAMA MARKrest');
      output.push(bytes.subarray(0, cut));
      output.push(bytes.subarray(cut));
      output.push(Buffer.from('later'));
      expect(heard.join('')).toBe('MARK before MAMA ');
      expect(isEnded()).toBe(true);
    }
  });

  it('is kept for whoever listens late', () => {
    const { output, isEnded } = open();
    output.endAt('MARK');
    output.push(Buffer.from('keptMARK'));
    expect(isEnded()).toBe(true);
    const heard: string[] = [];
    output.listen((_, data) => heard.push(Buffer.from(data).toString()));
    expect(heard).toEqual(['kept']);
  });
});
