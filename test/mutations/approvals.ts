// P8: approvals are exact, shown in full, durable, and no unless an owner says yes in time.
import type { Mutation } from './mutation.ts';

const DESK = {
  promise: 'P8',
  file: 'src/approvals/desk.ts',
  testFile: 'test/integration/store/desk.test.ts',
} as const;
const STORE = { ...DESK, file: 'src/store/approvals.ts' } as const;
const GATE = { ...DESK, file: 'src/approvals/gate.ts' } as const;
const DECIDE = { promise: 'P8', file: 'src/risk/decide.ts', testFile: 'src/risk/decide.test.ts' } as const;
const GRANT = {
  promise: 'P8',
  file: 'src/approvals/grant.ts',
  testFile: 'src/approvals/grant.test.ts',
} as const;
const JUDGE = {
  promise: 'P8',
  file: 'src/agent/judge-action.ts',
  testFile: 'src/agent/judge-action.test.ts',
} as const;
const PASSAGE = { promise: 'P8', file: 'src/agent/passage.ts' } as const;
const LOOK = {
  promise: 'P8',
  file: 'src/agent/look-at-scripts.ts',
  testFile: 'test/integration/tools/local-door.test.ts',
} as const;
const FORWARDED = 'test/integration/gateway/forwarded.test.ts';
const NO = 'is a no when nobody can be asked, when time is up, and when the run is cancelled';

export const approvals: readonly Mutation[] = [
  {
    ...DESK,
    name: 'a person who is no owner approves',
    old: "    if (!by.isOwner) return { counted: false, text: 'Only an owner can answer this.' };\n",
    new: '',
    tests: ['is not for whoever is no owner'],
  },
  {
    ...STORE,
    name: 'an approval is answered after its time',
    old: "        .where('expiresAt', '>', now)\n",
    new: '',
    tests: ['cannot be answered after its time, even while its run still waits'],
  },
  {
    ...STORE,
    name: 'the button of one question answers another',
    old: "        .where('nonce', '=', nonce)\n",
    new: '',
    tests: ['is refused with the nonce of another question'],
  },
  {
    ...STORE,
    name: 'a denied question is approved by a second answer',
    old: "db.updateTable('approvals').where('state', '=', 'pending').returningAll()",
    new: "db.updateTable('approvals').returningAll()",
    tests: ['counts once, and tells the second one truthfully'],
  },
  {
    ...STORE,
    name: 'what was approved in one chat is approved in another',
    old: "        .where('sessionId', '=', sessionId)\n        .where('state', '=', 'approved')",
    new: "        .where('state', '=', 'approved')",
    tests: ['for the session covers the rule on that kind of target, and nothing else'],
  },
  {
    ...STORE,
    name: 'what was approved once is approved for the whole chat',
    old: "        .where('scope', '=', 'session')\n",
    new: '',
    tests: ['for once grants nothing that comes later'],
  },
  {
    ...DESK,
    name: 'a question that nobody can be asked is approved',
    old: "this.#waiting.get(id)?.({ kind: 'denied', reason: `Not approved: ${reason}.` });",
    new: "this.#waiting.get(id)?.({ kind: 'approved', scope: 'once', by: reason });",
    tests: [NO],
  },
  {
    ...DESK,
    name: 'a question that nobody answers in time is approved',
    old: "state === 'approved'\n        ? { kind: 'approved'",
    new: "state !== 'denied'\n        ? { kind: 'approved'",
    tests: [NO],
  },
  {
    ...DESK,
    name: 'a question that nobody answers keeps its run waiting for ever',
    old: '() => void this.#expire(question.id)',
    new: '() => {}',
    tests: [NO],
  },
  {
    ...DESK,
    name: 'a cancelled run leaves its question open',
    old: "    signal?.addEventListener('abort', onAbort, { once: true });\n",
    new: '',
    tests: ['is closed alone when its call is cancelled'],
  },
  {
    ...DESK,
    name: 'a question of a dead run can be answered after a restart',
    old: 'if (await this.#isWaitedFor(approval)) continue;',
    new: 'continue;',
    tests: ['of a dead run is closed after a restart, and can be told of'],
  },
  {
    ...DESK,
    name: 'a question of a run whose lease has expired stays open',
    old: 'purpose === runId && expiresAt > clock.now() && mayLive(holder)',
    new: 'purpose === runId && mayLive(holder)',
    tests: ['of a run whose hold has run out is closed by the start of a gateway'],
  },
  {
    ...DESK,
    name: 'an answer from another process is never noticed',
    old: '      this.#lookAgain();\n      return await decided.promise;',
    new: '      return await decided.promise;',
    tests: ['can be answered from another process'],
  },
  {
    ...GATE,
    name: 'a command of which one finding is granted runs with all others',
    old: 'if (open.length === 0) {',
    new: 'if (open.length < findings.length) {',
    tests: ['asks again when only a part of what was found is granted'],
  },
  {
    ...GATE,
    name: 'a command that the configuration denies runs',
    old: "return { kind: 'denied', reason: why };",
    new: "return { kind: 'go' };",
    tests: ['lets pass what is allowed, and stops what is denied, without asking'],
  },
  {
    ...GATE,
    name: 'a model clears a command by saying anything',
    old: "return said === 'safe';",
    new: 'return said.length > 0;',
    tests: ['lets a model clear what is below high, and writes every verdict down'],
  },
  {
    ...GATE,
    name: 'approvals are missing from the audit',
    old: `    await this.#record(
      asked,
      answer.kind === 'approved' ? \`approved \${answer.scope} by \${answer.by}\` : answer.reason,
    );
`,
    new: '',
    tests: ['asks, and then what was granted for the session passes by itself'],
  },
  {
    ...GATE,
    name: 'what runs without being asked about is missing from the audit',
    old: 'if (findings.length > 0) await this.#recordUnasked(asked, judgement);',
    new: '',
    tests: ['writes down what an owner’s list or mode lets pass although there is something to ask about'],
  },
  {
    ...GRANT,
    name: 'a grant for one rule covers all rules',
    old: 'grant.rule === rule && grant.target === target',
    new: 'grant.target === target',
    tests: ['covers no other rule'],
  },
  {
    ...GRANT,
    name: 'a grant for one target covers all targets',
    old: 'grant.rule === rule && grant.target === target',
    new: 'grant.rule === rule',
    tests: ['for %s does not cover %s', 'for files that are sent covers the same address only'],
  },
  {
    ...DECIDE,
    name: 'the deny list counts for nothing where nobody is asked',
    old: 'if (denied !== undefined) return',
    new: "if (denied !== undefined && policy.mode !== 'off') return",
    tests: ['a denied command is denied however it is wrapped: %s'],
  },
  {
    ...DECIDE,
    name: 'a denied command runs inside another',
    old: '[command, ...analysis.commands].some(',
    new: '[command].some(',
    tests: ['a denied command is denied however it is wrapped: %s'],
  },
  {
    ...DECIDE,
    name: 'mode smart asks nobody',
    old: "if (policy.mode === 'off') return answer('allow', 'Nobody",
    new: "if (policy.mode !== 'manual') return answer('allow', 'Nobody",
    tests: ['smart asks as manual does'],
  },
  {
    ...DECIDE,
    name: 'a dangerous command runs without a question',
    old: "return answer('ask', describeExposure(exposure));",
    new: "return answer('allow', describeExposure(exposure));",
    tests: ['asks about %s'],
  },
  {
    promise: 'P8',
    name: 'a forwarded chat command acts',
    file: 'src/gateway/intake.ts',
    old: 'const kind = isOwn && parseCommand(event.text)',
    new: 'const kind = parseCommand(event.text)',
    testFile: FORWARDED,
    tests: ['P8: is never a command, neither of the chat nor for the sandbox, and is marked for the model'],
  },
  {
    promise: 'P8',
    name: 'a forwarded answer lets a stranger in',
    file: 'src/gateway/pairing-answers.ts',
    old: "by.role !== 'owner' || event.forwardedFrom !== undefined",
    new: "by.role !== 'owner'",
    testFile: FORWARDED,
    tests: ['P8: answers no card about a stranger and claims nothing'],
  },
  {
    ...JUDGE,
    name: 'a link to a secret file is judged by its harmless name',
    old: 'analysePath(action, circumstances),',
    new: 'analysePath(action, { ...circumstances, realPath: action.path }),',
    tests: ['P8: judges a file by where it really is'],
  },
  {
    ...JUDGE,
    name: 'a command is judged without the folder that it runs in',
    old: 'const command = goingTo(workdir, folder) + action.command;',
    new: 'const command = action.command;',
    tests: ['P8: judges a command by the folder that it runs in'],
  },
  {
    ...JUDGE,
    name: 'a program runs without a question where nothing is contained',
    old: "!== 'unresolved.inline-code'), programFinding(action)];",
    new: "!== 'unresolved.inline-code')];",
    tests: ['P8: a program is asked about as a whole where nothing is contained'],
  },
  {
    ...PASSAGE,
    name: 'what was approved for one sandbox runs in another',
    old: "  if ((await context.sandbox()).sandboxId !== sandboxId) return { kind: 'denied', reason: REPLACED };\n",
    new: '',
    testFile: 'test/integration/tools/door.test.ts',
    tests: ['P8: what was approved for one sandbox does not run in another'],
  },
  {
    ...PASSAGE,
    name: 'a script that was changed while an owner was asked runs',
    old: 'answer.waited && !(await isUnchanged(handle, action, found, options))',
    new: 'false',
    testFile: 'test/integration/tools/local-door.test.ts',
    tests: ['for the session means this very text, and what is changed meanwhile does not run'],
  },
  {
    ...LOOK,
    name: 'an approval ends with the time that has passed',
    old: 'file.language, file.digest]',
    new: 'file.language, file.digest, String(file.isNew)]',
    tests: ['runs once approved, however late the answer: an approval is bound to content, not to times'],
  },
  {
    ...LOOK,
    name: 'an approval covers a file whose end has changed',
    old: ".update(facts[3] ?? '')",
    new: '',
    tests: [
      'does not run when it was changed after the part that is shown, with its size and time as before',
    ],
  },
  {
    ...LOOK,
    file: 'src/approvals/gate.ts',
    name: 'a script that was changed while a model was asked runs',
    old: 'signal)) return AFTER_A_WAIT;',
    new: 'signal)) return AT_ONCE;',
    tests: ['is looked at again also when a model has cleared the command'],
  },
];
