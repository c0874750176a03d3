import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

function logInto(lines: string[]) {
  return createLog({
    level: 'debug',
    destination: { write: line => lines.push(line) },
    redact: line => line.replaceAll('hunter2', '***'),
    now: () => 0,
  });
}

describe('P7: the log', () => {
  it('redacts messages, fields, errors, stacks and child bindings', () => {
    const lines: string[] = [];
    const log = logInto(lines);
    log.info('password is hunter2');
    log.info({ nested: { deep: ['hunter2'] } }, 'fields');
    log.error({ err: new Error('failed with hunter2') }, 'error');
    log.child({ token: 'hunter2' }).warn('child');
    expect(lines).toHaveLength(4);
    expect(lines.join('')).not.toContain('hunter2');
    expect(lines.join('').match(/\*\*\*/g)?.length).toBeGreaterThanOrEqual(4);
  });

  it('writes one JSON object a line, with level and time in words', () => {
    const lines: string[] = [];
    logInto(lines).info({ session: 'a' }, 'hello\nworld');
    expect(lines[0]).toMatch(/\n$/);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: '1970-01-01T00:00:00.000Z',
      session: 'a',
      msg: 'hello\nworld',
    });
  });

  it('keeps quiet below its level', () => {
    const lines: string[] = [];
    logInto(lines).trace('too much');
    expect(lines).toEqual([]);
  });
});
