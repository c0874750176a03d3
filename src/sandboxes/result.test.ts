import { describe, expect, it } from 'vitest';
import { OutputBuffer } from './channel/output-buffer.ts';
import { buildResult, changed, type ResultParts } from './result.ts';

const exited = { kind: 'exited', number: 3, leftBehind: [], shellEnded: false, outOfMemory: false } as const;

function resultOf(parts: Partial<ResultParts>, { stdout = '', stderr = '' } = {}) {
  const buffer = (text: string): OutputBuffer => {
    const kept = new OutputBuffer(10);
    kept.push(Buffer.from(text));
    return kept;
  };
  return buildResult({
    ...{ end: exited, interruption: undefined, durationMs: 1, notices: [] },
    ...{ stdout: buffer(stdout), stderr: buffer(stderr) },
    ...parts,
  });
}

describe('the output of a result', () => {
  /** Counts how often it is made a text. */
  class Counted extends OutputBuffer {
    texts = 0;
    override text(): string {
      this.texts++;
      return super.text();
    }
  }

  it('is made a text when somebody asks for it, and once, also when fields are changed', () => {
    const [stdout, stderr] = [new Counted(10), new Counted(10)];
    stdout.push(Buffer.from('out'));
    const result = changed(resultOf({ stdout, stderr }), { notices: ['said'] });
    expect([stdout.texts, stderr.texts]).toEqual([0, 0]);
    expect([result.stdout, result.stdout, result.notices]).toEqual(['out', 'out', ['said']]);
    expect([stdout.texts, stderr.texts]).toEqual([1, 0]);
  });
});

describe('P9: a result', () => {
  it('has the exit code of a command that ended by itself', () => {
    expect(resultOf({})).toMatchObject({ outcome: 'exited', exitCode: 3 });
  });

  it('names the signal that ended it, and has no exit code then', () => {
    const result = resultOf({ end: { ...exited, kind: 'signaled', number: 9 } });
    expect(result).toMatchObject({ outcome: 'signaled', signal: 'SIGKILL' });
    expect(result).not.toHaveProperty('exitCode');
  });

  it.each(['timed-out', 'canceled'] as const)('is %s whatever the killed command reported', interruption => {
    const result = resultOf({ interruption });
    expect(result.outcome).toBe(interruption);
    expect(result).not.toHaveProperty('exitCode');
  });

  it.each([
    ['ended', { ...exited, kind: 'signaled', number: 9 }],
    ['unknown', { kind: 'lost', reason: 'the lane ended' }],
    ['unbegun', { kind: 'unbegun' }],
  ] as const)('says of an interrupted command %s only when that was seen', (interrupted, end) => {
    expect(resultOf({ interruption: 'timed-out', end })).toMatchObject({ outcome: 'timed-out', interrupted });
    expect(resultOf({ interruption: undefined, end })).not.toHaveProperty('interrupted');
  });

  it('says that nothing is known when the sandbox was lost', () => {
    const result = resultOf({ end: { kind: 'lost', reason: 'the lane ended' } });
    expect(result.outcome).toBe('sandbox-lost');
    expect(result).not.toHaveProperty('exitCode');
    expect(result.notices).toEqual(['The outcome is unknown: the lane ended.']);
  });

  it('says that output is missing when either stream was cut', () => {
    const long = 'x'.repeat(11);
    expect(resultOf({}, { stdout: 'short', stderr: 'short' }).truncated).toBe(false);
    expect(resultOf({}, { stdout: long }).truncated).toBe(true);
    expect(resultOf({}, { stderr: long })).toMatchObject({ truncated: true, stderrTotal: 11 });
  });

  it('says that the memory limit ended it', () => {
    expect(resultOf({ end: { ...exited, outOfMemory: true } }).outOfMemory).toBe(true);
    expect(resultOf({})).not.toHaveProperty('outOfMemory');
  });
});
