// P12: a store that fails for seconds costs time, and nothing else.
import type { Mutation } from './mutation.ts';

const FAILING = {
  promise: 'P12',
  testFile: 'test/integration/gateway/failing-store.test.ts',
} as const;

export const faultyStore: readonly Mutation[] = [
  {
    promise: 'P12',
    name: 'reads wait for a writer of the same process that waits for another process',
    file: 'src/store/sqlite-dialect.ts',
    old: "if (compiled.query.kind === 'SelectQueryNode') {",
    new: "if (compiled.query.kind === 'RawNode') {",
    testFile: 'src/store/sqlite-dialect.test.ts',
    tests: ['reads while a writer of this process waits for another process'],
  },
  {
    promise: 'P12',
    name: 'what a lock or a full disk keeps from being written is given up',
    file: 'src/store/patient-store.ts',
    old: 'if (!mayWorkAgain(error) || this.#ended.signal.aborted) throw error;',
    new: 'throw error;',
    testFile: 'src/store/patient-store.test.ts',
    tests: ['P12: writes what a lock has kept from being written as soon as it is gone, and says both'],
  },
  {
    ...FAILING,
    name: 'an outbox row that no sender knows is never sent',
    file: 'src/gateway/reconcile.ts',
    old: '  await delivery.reconcile();\n',
    new: '',
    tests: ['is followed by a look for what no run and no sender knows, which is taken up in order'],
  },
  {
    ...FAILING,
    name: 'what waits in the inbox and no run knows is left lying',
    file: 'src/gateway/reconcile.ts',
    old: '  await runs.takeUp(await withoutDamaged(context, await store.inbox.waiting()));\n',
    new: '',
    tests: ['is followed by a look for what no run and no sender knows, which is taken up in order'],
  },
  {
    ...FAILING,
    name: 'one damaged message keeps everybody else from being answered',
    file: 'src/store/inbox.ts',
    old: 'body: jsonOf(row.body)',
    new: 'body: JSON.parse(row.body)',
    tests: ['costs nobody else an answer, and its chat or the owner is told'],
  },
  {
    ...FAILING,
    name: 'an answer of more than a day ago is dropped by the next start',
    file: 'src/gateway/lane.ts',
    old: 'const since = Math.max(createdAt, this.#parts.clock.now() + LAST_CHANCE_MS - LONGEST_WAIT_MS);',
    new: 'const since = createdAt;',
    tests: ['is still sent by a gateway that was not running'],
  },
  {
    ...FAILING,
    name: 'an answer that is given up because of its age is dropped silently',
    file: 'src/gateway/owners.ts',
    old: 'if (isTooOld && !isKnown)',
    new: 'if (isTooOld && isKnown)',
    tests: ['is told in its chat when it could not be sent for a day'],
  },
  {
    promise: 'P12',
    name: 'what is written into a state that was deleted counts as written',
    file: 'src/store/held-file.ts',
    old: 'throw lostState(this.#path, now);',
    new: 'return;',
    testFile: 'src/store/open.test.ts',
    tests: ['P12: says of nothing that it is written: %s'],
  },
  {
    promise: 'P4',
    name: 'a home whose state is lost begins as a new installation',
    file: 'src/store/lost-state.ts',
    old: 'if (traces.length === 0) return;',
    new: 'if (traces.length >= 0) return;',
    testFile: 'src/store/lost-state.test.ts',
    tests: ['refuses to start without its state where there is %s, and says what to do'],
  },
  {
    promise: 'P12',
    name: 'a log that cannot be opened keeps the gateway from serving',
    file: 'src/gateway/process/gateway-log.ts',
    old: 'if (systemErrorCode(error) === undefined) throw error;',
    new: 'throw error;',
    testFile: 'src/gateway/process/gateway-log.test.ts',
    tests: [
      'goes to standard error where its file cannot be opened, says why, and to the file as soon as that can be',
    ],
  },
];
