// Tests that could pass by luck, and tests that only look so.
import { oneFile, type WrongTree } from './wrong-tree.ts';

export const steadyTestTrees: readonly WrongTree[] = [
  oneFile('steady-tests', 'another try, the wall clock, sleeps and unseeded chance', {
    path: 'test/integration/a.test.ts',
    text: [
      "import { setTimeout as sleep } from 'node:timers/promises';",
      "import fc from 'fast-check';",
      "import { systemClock } from '../../src/base/clock.ts';",
      "it('a', { retry: 2 }, run);",
      'expect(performance.now() - began).toBeLessThan(1000);',
      'const took = Date.now() - began;',
      'const best = Math.min(...rounds.map(() => performance.now() - began));',
      'await new Promise(resolve => setTimeout(resolve, 100));',
      'await new Promise(resolve => { setTimeout(resolve, 100); });',
      'const work = process.threadCpuUsage();',
      'const moment = Math.random() * 100;',
      'const since = process.hrtime.bigint() - began;',
    ],
    wrong: [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12],
  }),
  {
    rule: 'steady-tests',
    title: 'given times, limits of waits, settings called retry, and what tests share',
    files: {
      'test/wait.ts': ['const isLate = performance.now() - began > 10;'],
      'test/services/a.ts': ["import { setTimeout } from 'node:timers/promises';"],
      'src/base/retry.test.ts': [
        "expect(fault).toEqual({ retry: 'never' });",
        'const expiresAt = Date.now() + 60_000;',
      ],
      'src/base/a.ts': ['export const a = { retry: 2 };'],
      'bench/a.ts': ['const ms = performance.now() - began;'],
      'test/integration/b.test.ts': [
        'const timer = setTimeout(() => deadline.reject(new Error()), 1000);',
        'await new Promise(resolve => setImmediate(resolve));',
        'const age = clock.now() - madeAt;',
        'const madeAt = Date.now() - DAY_MS;',
      ],
    },
    expected: [],
  },
];
