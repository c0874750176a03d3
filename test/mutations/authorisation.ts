// P1: nobody causes anything before they are known to be allowed.
import type { Mutation } from './mutation.ts';

const AUTHORISE = {
  promise: 'P1',
  file: 'src/gateway/authorise.ts',
  testFile: 'src/gateway/authorise.test.ts',
} as const;
const DOOR = {
  promise: 'P1',
  file: 'src/gateway/admission.ts',
  testFile: 'test/integration/gateway/admission.test.ts',
} as const;
const CLAIM = {
  promise: 'P1',
  file: 'src/gateway/claim.ts',
  testFile: 'test/integration/gateway/claim.test.ts',
} as const;
const RUNS = { promise: 'P1', file: 'src/gateway/runs.ts' } as const;
const REMOVED = {
  promise: 'P1',
  testFile: 'test/integration/gateway/removed-meanwhile.test.ts',
  tests: ['P1: does nothing when its sender %s'],
} as const;
const KEPT_OUT = 'test/integration/gateway/kept-out.test.ts';

export const authorisation: readonly Mutation[] = [
  {
    ...AUTHORISE,
    name: 'a person whom nobody has allowed may speak',
    old: ": { allowed: false, because: 'unknown' };",
    new: ": { allowed: true, role: 'user', because: 'listed' };",
    tests: ['refuses whom nobody has let in'],
  },
  {
    ...AUTHORISE,
    name: 'a denied person may speak where everybody is allowed',
    old: "if (decision?.standing === 'denied') return { allowed: false, because: 'denied' };",
    new: '',
    tests: ['puts an explicit denial above everything'],
  },
  {
    ...AUTHORISE,
    name: 'an id that begins like an allowed one is allowed',
    old: ': entry === userId;',
    new: ': userId.startsWith(entry);',
    tests: ['does not take %j for 12345'],
  },
  {
    ...AUTHORISE,
    name: 'an entry for one platform allows the same id on another',
    old: 'rules.allowedEverywhere.includes(`${platform}:${id}`)',
    new: 'rules.allowedEverywhere.some(entry => entry.endsWith(id))',
    tests: [
      'takes a bare id in the list of the gateway for nobody: it would be a different person on each platform',
    ],
  },
  {
    ...AUTHORISE,
    name: 'a person on a list is an owner',
    old: "{ allowed: true, role: 'user', because: 'listed' }",
    new: "{ allowed: true, role: 'owner', because: 'listed' }",
    tests: ['lets them in when %s'],
  },
  {
    ...AUTHORISE,
    name: 'an id with control characters can be somebody',
    old: ' && !/\\p{Cc}/u.test(id)',
    new: '',
    tests: ['knows nobody by an id that cannot be one'],
  },
  {
    ...DOOR,
    name: 'a message of a stranger reaches the agent',
    old: '    if (verdict.allowed) {\n',
    new: '    if (verdict) {\n',
    tests: ['get a code once in ten minutes, and leave nothing but the request'],
  },
  {
    ...DOOR,
    name: 'a denied person gets a pairing code',
    old: "if (!verdict.allowed && verdict.because === 'denied') return undefined;",
    new: '',
    tests: ['who are denied get nothing, not even a reply'],
  },
  {
    ...DOOR,
    name: 'a pairing code is shown in a group',
    old: "event.kind === 'message' && event.chat.kind === 'private' && rules.strangers === 'pair'",
    new: "event.kind === 'message' && rules.strangers === 'pair'",
    tests: ['are not answered in groups, and no code appears there'],
  },
  {
    ...DOOR,
    name: 'strangers are answered although the operator has them ignored',
    old: " && rules.strangers === 'pair')",
    new: ')',
    tests: ['are ignored where the operator wants that'],
  },
  {
    ...DOOR,
    file: 'src/gateway/pairing-answers.ts',
    name: 'a user who is no owner lets a stranger in with a button',
    old: "by.role === 'owner' ? await this.#answer(read.id, read.answer, by) : undefined",
    new: 'await this.#answer(read.id, read.answer, by)',
    tests: ['counts from an owner only'],
  },
  {
    ...DOOR,
    file: 'src/gateway/pairing-answers.ts',
    name: 'a user who is no owner lets a stranger in with a command',
    old: "by.role !== 'owner' || event.forwardedFrom !== undefined",
    new: 'event.forwardedFrom !== undefined',
    tests: ['comes by a command where there are no buttons; other ids are not its business'],
  },
  {
    promise: 'P1',
    name: 'wrong pairing codes never lock the approving',
    file: 'src/gateway/pairing-limits.ts',
    old: 'failures >= MOST_FAILURES',
    new: 'false',
    testFile: 'src/gateway/pairing-limits.test.ts',
    tests: ['locks with the fifth for an hour'],
  },
  {
    ...CLAIM,
    file: 'src/gateway/admission.ts',
    name: 'the installation is claimed in a group, where everybody reads the code',
    old: "event.kind !== 'message' || event.chat.kind !== 'private' || !this.#claim.isOpen()",
    new: "event.kind !== 'message' || !this.#claim.isOpen()",
    tests: ['makes the first owner, once, in private'],
  },
  {
    ...CLAIM,
    file: 'src/gateway/admission.ts',
    name: 'a forwarded code makes an owner of whoever forwards it',
    old: 'event.forwardedFrom === undefined ? claimIn(event.text) : undefined',
    new: 'claimIn(event.text)',
    tests: ['is not done by a code that somebody passes on'],
  },
  {
    ...CLAIM,
    name: 'the code makes an owner although there is one',
    old: '      if (await hasOwner(inside)) return false;\n',
    new: '',
    tests: ['is over after an hour, with a new code, with an owner, and for the denied'],
  },
  {
    ...CLAIM,
    name: 'the code of the start never expires',
    old: ' && this.#open.expiresAt > this.#clock.now()',
    new: '',
    tests: ['is over after an hour, with a new code, with an owner, and for the denied'],
  },
  {
    ...CLAIM,
    name: 'one person may guess the code of the start without end',
    old: ' || tries >= MOST_TRIES',
    new: '',
    tests: ['allows one person five tries and one reply, and their failing does not keep the operator out'],
  },
  {
    ...RUNS,
    name: 'what a person said before they were denied is run',
    old: `    if (role === undefined) {
      await this.#drop(sessionId, wanted);
      return undefined;
    }
    const run = new ActiveRun(this.#context, session, { first, role });`,
    new: "    const run = new ActiveRun(this.#context, session, { first, role: role ?? 'user' });",
    testFile: KEPT_OUT,
    tests: ['P1: ends the run of somebody who is denied, and what they had said before is not run'],
  },
  {
    ...RUNS,
    name: 'the run of a person who is denied goes on',
    old: "if ((await admission.roleOf(run.person)) === undefined) run.end('stopped');",
    new: 'await admission.roleOf(run.person);',
    testFile: KEPT_OUT,
    tests: ['P1: ends the run of somebody who is denied, and what they had said before is not run'],
  },
  {
    ...RUNS,
    name: 'a denied person still steers their running run',
    old: 'given.length === 0 || (await admission.roleOf(run.person)) === undefined',
    new: 'given.length === 0',
    testFile: KEPT_OUT,
    tests: ['P1: gives a run with `busy: steer` no words of somebody who was denied meanwhile'],
  },
  {
    ...RUNS,
    name: 'a question is answered by somebody else who presses its button',
    old: "    if (run.question.person !== person) return 'Only the person who was asked can answer.';\n",
    new: '',
    testFile: 'test/integration/gateway/questions.test.ts',
    tests: ['P1: takes the answer from the person who was asked, and from nobody else in the group'],
  },
  {
    ...RUNS,
    name: 'a question is answered by what somebody else writes',
    old: 'if (question?.person !== row.person) return false;',
    new: 'if (!question) return false;',
    testFile: 'test/integration/gateway/questions.test.ts',
    tests: ['P1: takes the answer from the person who was asked, and from nobody else in the group'],
  },
  {
    ...REMOVED,
    name: 'a chat command that waited through a crash acts although its sender was removed',
    file: 'src/gateway/intake.ts',
    old: 'if (role === undefined) return finish(parts.world.store);',
    new: '',
    group: 'after a crash, the command /new',
  },
  {
    ...REMOVED,
    name: 'a chat command that waited through a crash has the rights that its sender has lost',
    file: 'src/gateway/intake.ts',
    old: 'const by = { ...senderOf(row), role };',
    new: 'const by = senderOf(row);',
    group: 'after a crash, the command /network',
  },
  {
    ...REMOVED,
    name: 'a message that waited through a crash is run although its sender was removed',
    file: 'src/gateway/runs.ts',
    old: '    if (role === undefined) {',
    new: '    if (role === null) {',
    group: 'after a crash, messages that waited, and one whose run had begun',
  },
  {
    ...REMOVED,
    name: 'the end of a run is told to a person who was removed meanwhile',
    file: 'src/gateway/recovery.ts',
    old: 'if ((await parts.admission.roleOf(first.person)) === undefined) return store.inbox.finish(runId);',
    new: '',
    group: 'after a crash, a message whose run had started a tool',
  },
];
