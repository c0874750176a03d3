import { describe, expect, it } from 'vitest';
import { countsApart, enforcementOf, limitFlags, plannedAttempts } from './limits.ts';

const ALL = { cpus: 1.5, memoryMiB: 2, diskMiB: 9, processes: 64 };

describe('limits', () => {
  it('tries what the system hands down to the user, and then nothing', () => {
    expect(plannedAttempts('cpuset cpu io memory pids\n')).toEqual([['cpus', 'memoryMiB', 'processes'], []]);
    expect(plannedAttempts('memory pids\n')).toEqual([['memoryMiB', 'processes'], []]);
    expect(plannedAttempts('')).toEqual([[]]);
    expect(plannedAttempts(undefined)).toEqual([[]]);
  });

  it('become flags as far as they are tried', () => {
    expect(limitFlags(ALL, ['cpus', 'memoryMiB', 'processes'])).toEqual([
      ...['--cpus', '1.5', '--memory', '2097152', '--pids-limit', '64'],
    ]);
    expect(limitFlags(ALL, ['processes'])).toEqual(['--pids-limit', '64']);
    expect(limitFlags({}, ['cpus', 'memoryMiB', 'processes'])).toEqual([]);
  });

  it('are enforced where they are held, and said not to be elsewhere', () => {
    const none = { cpus: 'none', memory: 'none', disk: 'none', processes: 'none' };
    expect(enforcementOf([], false)).toEqual(none);
    expect(enforcementOf([], true)).toEqual({ ...none, processes: 'enforced' });
    expect(enforcementOf(['memoryMiB', 'processes'], false)).toEqual({
      ...{ ...none, memory: 'enforced', processes: 'enforced' },
    });
  });

  it('counts processes apart on kernels from 5.14 on', () => {
    expect(['4.18.0-553.el8', '5.13.0', '5.14.0-503.el9', '6.1.0'].map(countsApart)).toEqual([
      ...[false, false, true, true],
    ]);
  });
});
