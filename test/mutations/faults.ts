// P10 and P12 under faults from outside: what hangs, a server that is away, and a clock that is wrong silence nobody.
import type { Mutation } from './mutation.ts';

const DOCTOR = {
  promise: 'P12',
  file: 'src/cli/commands/doctor/bounded-area.ts',
  testFile: 'src/cli/commands/doctor/bounded-area.test.ts',
} as const;
const CLOCK = { promise: 'P12', file: 'src/base/clock.ts', testFile: 'src/base/clock.test.ts' } as const;
const SET_BACK = {
  promise: 'P12',
  file: 'src/store/clock-set-back.ts',
  testFile: 'test/integration/store/clock-set-back.test.ts',
} as const;

export const faults: readonly Mutation[] = [
  {
    ...DOCTOR,
    name: 'hermes doctor waits for an area that hangs',
    old: '    return await Promise.race([isOver, look(AbortSignal.any([signal, late.signal]))]);',
    new: '    return await look(AbortSignal.any([signal, late.signal]));',
    tests: ['that hangs is a finding when its time is up, and is asked to end'],
  },
  {
    ...DOCTOR,
    name: 'an area that fails ends hermes doctor',
    old: '    signal.throwIfAborted();\n    const { message }',
    new: '    throw error;\n    const { message }',
    tests: ['that fails with %s is a finding'],
  },
  {
    ...CLOCK,
    name: 'a clock that is set back stops time in the gateway',
    old: '    ahead = Math.max(ahead, wall() - elapsed);',
    new: '    ahead = wall() - elapsed;',
    tests: ['goes on when it is set back, and follows when it is set ahead'],
  },
  {
    ...SET_BACK,
    name: 'after the clock was set back, answers wait for the time of before',
    old: 'where ${moment} > ${now}`',
    new: 'where 1 = 0`',
    tests: ['nothing waits for the time of before the clock was set back, and nothing is over too early'],
  },
  {
    promise: 'P12',
    name: 'an answer that waits for a rate limit counts as being sent',
    file: 'src/gateway/transmit.ts',
    old: "const limit = 'report';",
    new: "const limit = 'wait';",
    testFile: 'test/integration/gateway/whole-way.test.ts',
    tests: ['P12: what only waits for a limit is not being sent: a killed gateway would not repeat it'],
  },
  {
    promise: 'P12',
    name: 'Telegram is waited for although calls to it work again',
    file: 'src/platforms/telegram/poll.ts',
    old: '    this.#wake.abort();\n',
    new: '',
    testFile: 'test/integration/platforms/telegram.test.ts',
    tests: ['goes on as soon as any other call works, and waits at most 10 s'],
  },
  {
    promise: 'P7',
    name: 'the log hides our own ids',
    file: 'src/gateway/process/own-ids.ts',
    old: '    redact(id) === id ? ',
    new: '    id === line ? ',
    testFile: 'src/gateway/process/own-ids.test.ts',
    tests: ['keeps the id of its %s'],
  },
  {
    promise: 'P7',
    name: 'the log shows a known secret that stands where an id does',
    file: 'src/gateway/process/own-ids.ts',
    old: '    redact(id) === id ? ',
    new: "    id !== '' ? ",
    testFile: 'src/gateway/process/own-ids.test.ts',
    tests: ['hides what is no id in such a field, and a known secret of the form of one'],
  },
];
