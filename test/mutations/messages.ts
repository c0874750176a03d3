// P3, P10 and P12: every message belongs to one conversation, none is lost, and what was started is not done again.
import type { Mutation } from './mutation.ts';

const STORE = 'test/integration/store/messages.test.ts';
const OUTBOX = { promise: 'P12', file: 'src/store/outbox.ts', testFile: STORE } as const;
const INBOX = { promise: 'P12', file: 'src/store/inbox.ts', testFile: STORE } as const;
const RUNS = {
  promise: 'P10',
  file: 'src/store/runs.ts',
  testFile: 'test/integration/store/history.test.ts',
  tests: ['are kept with their end, and the first end stays'],
} as const;
const KEY = {
  promise: 'P3',
  file: 'src/gateway/session-key.ts',
  testFile: 'src/gateway/session-key.test.ts',
  tests: ['names %s'],
} as const;
const INCOMING = {
  promise: 'P3',
  file: 'src/gateway/incoming.ts',
  testFile: 'src/gateway/incoming.test.ts',
} as const;
const AFTER_CRASH = {
  promise: 'P12',
  file: 'src/gateway/delivery.ts',
  testFile: 'test/integration/gateway/after-crash.test.ts',
  tests: ['P12: sends what waited, and once more what was being sent, which says so'],
} as const;
const FAILURE = {
  promise: 'P12',
  file: 'src/gateway/after-failure.ts',
  testFile: 'src/gateway/after-failure.test.ts',
} as const;
const CONCLUSION = {
  promise: 'P12',
  file: 'src/gateway/conclusion.ts',
  testFile: 'src/gateway/conclusion.test.ts',
  tests: ['P10: leaves what a stop cuts off to the next start, which decides as after a crash'],
} as const;
const CUT_OFF = {
  promise: 'P10',
  file: 'src/agent/cut-off.ts',
  testFile: 'src/agent/cut-off.test.ts',
} as const;
const CRASH = 'marks what was being sent at a crash as a possible repeat, and nothing else';

export const messages: readonly Mutation[] = [
  {
    ...OUTBOX,
    name: 'a message whose sending was cut off by a crash is not marked as a possible repeat',
    old: "          interrupted: eb('interrupted', '+', 1),\n",
    new: '',
    tests: [CRASH],
  },
  {
    ...OUTBOX,
    name: 'a message whose sending was cut off by a crash is never sent',
    old: "          state: 'waiting',\n          interrupted",
    new: '          interrupted',
    tests: [CRASH],
  },
  {
    ...OUTBOX,
    name: 'the same message is sent twice',
    old: "        .where('seq', '=', seq)\n        .where('state', '=', 'waiting')\n",
    new: "        .where('seq', '=', seq)\n",
    tests: ['keeps the order of each chat, also when the first must wait for another attempt'],
  },
  {
    ...OUTBOX,
    name: 'a message that may have arrived is sent again without a mark',
    old: `({ ...change, interrupted: eb('interrupted', '+', mayHaveArrived ? 1 : 0) }))
        .execute();
    },
    async giveUp`,
    new: `({ ...change, interrupted: eb('interrupted', '+', 0) }))
        .execute();
    },
    async giveUp`,
    tests: ['knows of what may have arrived although it failed, and finds everything by its run'],
  },
  {
    ...OUTBOX,
    name: 'messages that were not sent yet are forgotten when they are old',
    old: "eb('state', '=', 'sent'), eb('sentAt', '<', before)",
    new: "eb('createdAt', '<', before)",
    tests: ['keeps what it has given up for a while, and goes on with the rest of the chat'],
  },
  {
    ...INBOX,
    name: 'a message that a platform delivers again is taken for a new one',
    old: "conflict.columns(['platform', 'chat', 'messageId']).doNothing()",
    new: "conflict.columns(['platform', 'chat', 'messageId']).doUpdateSet({ state })",
    tests: ['takes each message once, however often and however parallel the platform delivers it'],
  },
  {
    ...INBOX,
    name: 'the end of one run finishes the messages of all runs',
    old: "{ state: 'done', doneAt: clock.now() }).where('runId', '=', runId)",
    new: "{ state: 'done', doneAt: clock.now() })",
    tests: ['finishes what a run took, and nothing of another run'],
  },
  {
    ...INBOX,
    name: 'messages that nobody has answered are forgotten when they are old',
    old: "        .where('state', '=', 'done')\n        .where('doneAt', '<', before)",
    new: "        .where('receivedAt', '<', before)",
    tests: ['tells what a crash cut off, which then waits again or is done'],
  },
  {
    ...AFTER_CRASH,
    name: 'what waited to be sent at a crash is never sent',
    old: '    this.#enqueue(rows);\n  }\n\n  /**\n   * Takes up what stands',
    new: '  }\n\n  /**\n   * Takes up what stands',
  },
  {
    ...AFTER_CRASH,
    name: 'what was being sent at a crash is forgotten',
    old: '    await store.outbox.recoverInterrupted();\n',
    new: '',
  },
  {
    ...AFTER_CRASH,
    name: 'a run that had started a tool call is run again after a crash',
    promise: 'P10',
    file: 'src/gateway/fate.ts',
    old: "decision.kind === 'again' && !run.startedTool ? AGAIN : report(NOT_KNOWN)",
    new: 'AGAIN',
    tests: ['P10: does not run again what an earlier start had closed before it could tell the chat'],
  },
  {
    ...AFTER_CRASH,
    name: 'a message is acknowledged although it could not be stored',
    file: 'src/gateway/intake.ts',
    old: '    else await this.#store(event, by, link);\n',
    new: '    else void this.#store(event, by, link);\n',
    tests: ['P12: acknowledges no message that could not be stored, and takes it when it comes again'],
  },
  {
    ...FAILURE,
    name: 'a message is given up although the platform may come back',
    old: '!mayPass && attempts >= MOST_UNFORESEEN',
    new: 'attempts >= MOST_UNFORESEEN',
    tests: ['tries again with growing pauses, up to five minutes'],
  },
  {
    ...FAILURE,
    name: 'a platform that asks for patience is called at once',
    old: 'const inMs = isAskedFor ? asked :',
    new: 'const inMs =',
    tests: ['keeps the time that the server asks for'],
  },
  {
    ...CONCLUSION,
    name: 'a message that a stop kept from being answered is lost',
    old: "return { inbox: 'leave', ...(isShown",
    new: "return { inbox: 'finish', ...(isShown",
  },
  {
    ...CONCLUSION,
    name: 'a run that had started a tool call is run again after a stop',
    promise: 'P10',
    old: "return { inbox: 'leave', ...(isShown",
    new: "return { inbox: 'put-back', ...(isShown",
  },
  {
    ...CUT_OFF,
    name: 'what had not begun before a restart counts as unknown',
    old: '(begun.has(call.id) ? unknown : notBegun)',
    new: 'unknown',
    tests: ['P10: says "unknown" of what had begun and has no answer, and of nothing else'],
  },
  {
    ...CUT_OFF,
    name: 'what had begun before a restart counts as not begun',
    old: '(begun.has(call.id) ? unknown : notBegun)',
    new: 'notBegun',
    tests: ['P10: says "unknown" of what had begun and has no answer, and of nothing else'],
  },
  {
    promise: 'P10',
    name: 'nobody writes down that the command of a call has begun before a restart',
    file: 'src/sessions/lease.ts',
    old: '      await begunCalls.mark(call);\n',
    new: '',
    testFile: 'test/integration/gateway/taken-up.test.ts',
    tests: ['says of a command under way that nobody knows, and repeats nothing'],
  },
  {
    promise: 'P10',
    name: 'a call that the stop of the gateway has cut counts as ended after a restart',
    file: 'src/agent/run-context.ts',
    old: '  if (answer.isError && isLeftForLater(signal)) throw signal.reason;\n',
    new: '',
    testFile: 'test/integration/gateway/taken-up.test.ts',
    tests: ['says of a command under way that nobody knows, and repeats nothing'],
  },
  {
    promise: 'P10',
    name: 'a restored backup repeats what was in progress',
    file: 'src/store/backup/close-past.ts',
    old: '  for (const { close: statement } of steps) run(database, statement, { now });\n',
    new: '',
    testFile: 'src/store/backup/backup.test.ts',
    tests: ['P10: closes what was in flight, and tells the chats concerned, each once'],
  },
  {
    promise: 'P10',
    name: 'a copy of the state that was put back by hand, restored so, is not recognised',
    file: 'src/gateway/restored-state.ts',
    old: 'record && generation < record.generation',
    new: 'record && generation < 0',
    testFile: 'test/integration/gateway/after-crash.test.ts',
    tests: ['P10: repeats nothing that a copy of the state had in flight when it is put back'],
  },
  {
    promise: 'P10',
    name: 'what a restored state had dealt with before is answered again',
    file: 'src/gateway/restored-state.ts',
    old: 'sentAt <= this.#dealtWithUntil',
    new: 'sentAt < 0',
    testFile: 'test/integration/gateway/after-crash.test.ts',
    tests: ['P10: repeats nothing that a copy of the state had in flight when it is put back'],
  },
  {
    promise: 'P12',
    name: 'a stop leaves timers behind that keep the process alive',
    file: 'src/gateway/stop-steps.ts',
    old: '      timer?.cancel();\n',
    new: '',
    testFile: 'src/gateway/stop-steps.test.ts',
    tests: ['waits for what ends, and leaves no timer behind'],
  },
  {
    promise: 'P10',
    name: 'what had not begun is not run when the run goes on after a restart',
    file: 'src/agent/perform-run.ts',
    old: 'await this.#loop.callOpen();',
    new: 'await Promise.resolve();',
    testFile: 'test/integration/agent/memory.test.ts',
    tests: ['P10: goes on with a run whose calls are known, under its own id'],
  },
  {
    promise: 'P12',
    name: 'a webhook is acknowledged before its message is stored',
    file: 'src/platforms/whatsapp/server.ts',
    old: '  await options.take(payload);\n',
    new: '  void options.take(payload);\n',
    testFile: 'test/integration/platforms/whatsapp.test.ts',
    tests: ['answers 500 when a message cannot be received, and takes it when it comes again'],
  },
  {
    ...RUNS,
    name: 'a run that has begun a tool call counts as one that has done nothing',
    old: 'startedTool: 1 }',
    new: 'startedTool: 0 }',
  },
  {
    ...RUNS,
    name: 'the end of a run is overwritten by a later one',
    old: "        .where('id', '=', id)\n        .where('state', '=', 'running')\n",
    new: "        .where('id', '=', id)\n",
  },
  {
    ...KEY,
    name: 'all members of a group share a conversation although each has their own',
    old: "kind === 'group' && groups === 'session-per-person' ? sender.id : undefined",
    new: 'undefined',
  },
  {
    ...KEY,
    name: 'an id with a colon is taken for another conversation',
    old: '...[platform, kind, id].map(escaped)',
    new: '...[platform, kind, id]',
    tests: ['takes no id for a part of a key'],
  },
  {
    ...KEY,
    name: 'two threads of a chat are one conversation',
    old: '...(thread === undefined ? [] : [`thread=${escaped(thread)}`]),\n',
    new: '',
  },
  {
    ...INCOMING,
    name: 'the words of two people become one turn',
    old: '      row.person !== first.person ||\n',
    new: '',
    tests: ['has all that one person said, and nothing of the next'],
  },
  {
    ...INCOMING,
    name: 'a run is steered by the words of somebody else',
    old: 'first?.person !== person || first.resumes',
    new: '!first || first.resumes',
    tests: ['is given the words of its own person, and of nobody behind somebody else'],
  },
  {
    ...INCOMING,
    name: 'forwarded words are taken for the words of the sender',
    promise: 'P8',
    old: 'if (forwardedFrom === undefined) return text;',
    new: 'return text;',
    tests: ['are a quotation that nothing in them can end, and no command'],
  },
];
