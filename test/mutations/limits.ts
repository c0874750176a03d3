// What comes from outside is bounded, checked by shape, and served in turn: places for sandboxes, frames of programs,
// events of plugins, calls of the page, backups.
import type { Mutation } from './mutation.ts';

const CAPACITY = {
  promise: 'P4',
  file: 'src/sessions/capacity.ts',
  testFile: 'src/sessions/capacity.test.ts',
} as const;
const FRAMES = {
  promise: 'P9',
  file: 'src/execute-code/frames.ts',
  testFile: 'src/execute-code/frames.test.ts',
  tests: ['end with %s'],
} as const;
const OFFERED = {
  promise: 'P1',
  file: 'src/dashboard/offered-commands.ts',
  testFile: 'src/dashboard/dashboard.test.ts',
} as const;
const BACKUP = {
  promise: 'P11',
  file: 'src/store/backup/unpack.ts',
  testFile: 'src/store/backup/backup.test.ts',
} as const;

export const limits: readonly Mutation[] = [
  {
    ...CAPACITY,
    name: 'there are more sandboxes than the operator allows',
    old: 'if (this.#taken < this.#most && this.#queue.length === 0) return this.#place();',
    new: 'return this.#place();',
    tests: ['are as many as there may be, and no more'],
  },
  {
    ...CAPACITY,
    name: 'who came last for a sandbox is served first',
    old: 'const next = this.#queue.shift();',
    new: 'const next = this.#queue.pop();',
    tests: ['are given in the order in which people came'],
  },
  {
    ...FRAMES,
    name: 'a program fills the memory of the gateway with one call',
    old: ' || Number(length) > LONGEST_INPUT',
    new: '',
  },
  {
    ...FRAMES,
    name: 'a program fills the memory of the gateway with a line that never ends',
    old: 'if (this.#wanted === 0 && rest.length > LONGEST_HEADER) return this.#break();',
    new: '',
  },
  {
    promise: 'P8',
    name: 'data that a tool has read can pretend to be over',
    file: 'src/agent/data-mark.ts',
    old: "createHash('sha256').update(text).digest('base64url').slice(0, CODE_LENGTH)",
    new: "'data'",
    testFile: 'src/agent/data-mark.test.ts',
    tests: ['cannot bring its own end'],
  },
  {
    ...OFFERED,
    name: 'the page calls commands that are not for pages',
    old: 'Object.hasOwn(OFFERED, command) ? OFFERED[command] : undefined',
    new: 'OFFERED[command] ?? []',
    tests: ['never reaches %s'],
  },
  {
    ...OFFERED,
    name: 'the page gives commands flags that are not for pages',
    old: 'const unknown = Object.keys(flags).find(name => !offered.includes(name));',
    new: "const unknown = Object.keys(flags).find(name => name === '');",
    tests: ['takes no flag that is not for pages'],
  },
  {
    promise: 'P1',
    name: 'events of a plugin are believed without being checked',
    file: 'src/compose/plugins/checked-platform.ts',
    old: 'options.receive(checkedEvent(event))',
    new: 'options.receive(event)',
    testFile: 'src/compose/plugins/plugins.test.ts',
    tests: ['is no event with %s, and is not received'],
  },
  {
    promise: 'P1',
    name: 'messages in a group that are not for the agent reach it',
    file: 'src/gateway/admission.ts',
    old: "    if (event.kind === 'message' && !event.isAddressed) return undefined;\n",
    new: '',
    testFile: 'test/integration/gateway/admission.test.ts',
    tests: ['who do not speak to the agent are not listened to'],
  },
  {
    promise: 'P7',
    name: 'pairing codes are stored in the clear',
    file: 'src/gateway/pairing-code.ts',
    old: "return `${salt.toString('hex')}:${key.toString('hex')}`;",
    new: "return `${salt.toString('hex')}:${key.toString('hex')}:${code}`;",
    testFile: 'src/gateway/pairing-code.test.ts',
    tests: ['are known by their hash, which differs each time and does not hold them'],
  },
  {
    ...BACKUP,
    name: 'a changed file of a backup is put back',
    old: "if (hash.digest('hex') !== sha256) throw",
    new: "if (hash.digest('hex') === '') throw",
    tests: ['is found in an archive that was packed anew'],
  },
  {
    ...BACKUP,
    name: 'a backup with files that its manifest does not have is taken',
    old: "if (await nextHeader(bytes)) throw unreadable('it holds more than its manifest says');",
    new: 'await nextHeader(bytes);',
    tests: ['is found in an archive with a file that its manifest does not have'],
  },
  {
    ...BACKUP,
    name: 'what comes out of a backup is readable for others',
    old: "open(target, 'wx', 0o600)",
    new: "open(target, 'wx', 0o644)",
    tests: ['P11: is readable for its owner alone, and so is what comes out of it'],
  },
  {
    promise: 'P12',
    name: 'one failed write of many takes the others with it',
    file: 'src/store/together.ts',
    old: 'if (pieces.length > 1) return false;',
    new: '',
    testFile: 'src/store/together.test.ts',
    tests: ['lets one failure spoil nobody else'],
  },
];
