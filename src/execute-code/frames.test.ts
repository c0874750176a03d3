import { describe, expect, it } from 'vitest';
import { fc } from '../../test/property.ts';
import { answerFrame, type CallFrame, FrameReader } from './frames.ts';

function framed({ id, tool, input }: CallFrame): Buffer {
  const bytes = Buffer.from(input, 'utf8');
  return Buffer.concat([Buffer.from(`${id} ${tool} ${bytes.length}\n`), bytes]);
}

/** What comes out when the bytes arrive in pieces of these sizes, by turns. */
function read(bytes: Uint8Array, sizes: readonly number[]): CallFrame[] | 'broken' {
  const reader = new FrameReader();
  const frames: CallFrame[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    const found = reader.push(bytes.subarray(at, at + size));
    if (found === 'broken') return 'broken';
    frames.push(...found);
    at += size;
  }
  return frames;
}

const call = fc.record({
  id: fc.nat(999_999_999),
  tool: fc.stringMatching(/^[a-z][\w.:-]{0,20}$/),
  input: fc.string({ unit: 'binary', maxLength: 300 }).map(text => text.toWellFormed()),
});

describe('calls', () => {
  it('are the same wherever they are cut', () => {
    fc.assert(
      fc.property(
        fc.array(call),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        (calls, sizes) => {
          expect(read(Buffer.concat(calls.map(framed)), sizes)).toEqual(calls);
        },
      ),
    );
  });

  it.each([
    ['a line that is none', 'hello\n'],
    ['a line without end', 'x'.repeat(200)],
    ['an input of 5 MB', '1 echo 5000000\n'],
    ['a tool with a space in its name', '1 e cho 2\n{}'],
    ['a negative id', '-1 echo 2\n{}'],
  ])('end with %s', (_, text) => {
    expect(read(Buffer.from(text), [7])).toBe('broken');
  });

  it('end for good', () => {
    const reader = new FrameReader();
    expect(reader.push(Buffer.from('nonsense\n'))).toBe('broken');
    expect(reader.push(Buffer.from('1 echo 2\n{}'))).toBe('broken');
  });
});

it('an answer has its length in bytes', () => {
  expect(Buffer.from(answerFrame(7, 'error', 'é\n')).toString()).toBe('7 error 3\né\n');
});
