// P2: one decision about where commands run; what cannot be granted is refused, never weakened.
import type { Mutation } from './mutation.ts';

const CHOICE = {
  promise: 'P2',
  file: 'src/sessions/choose-backend.ts',
  testFile: 'src/sessions/policy.test.ts',
} as const;
const POLICY = {
  promise: 'P2',
  file: 'src/sessions/policy.ts',
  testFile: 'src/sessions/policy.test.ts',
} as const;
const AUTO = {
  promise: 'P2',
  file: 'src/sessions/auto.ts',
  testFile: 'test/integration/sessions/start.test.ts',
} as const;

export const routing: readonly Mutation[] = [
  {
    ...CHOICE,
    name: 'chats run on this machine when nobody has chosen a backend',
    old: "(session.kind === 'cli' ? CLI_DEFAULT : AUTO)",
    new: 'CLI_DEFAULT',
    tests: ['is local only when somebody wrote local'],
  },
  {
    ...CHOICE,
    name: 'auto takes backends that nobody has ranked for it',
    old: 'autoRank !== undefined && isIsolated(capabilities.isolation)',
    new: 'autoRank !== undefined || isIsolated(capabilities.isolation)',
    tests: ['is local only when somebody wrote local'],
  },
  {
    ...CHOICE,
    file: 'src/config/precedence.ts',
    name: 'an old variable undoes the isolation that the file asks for',
    old: "if (!first || !setting.safer || first.origin.from === 'flag') return { decided: first };",
    new: 'return { decided: first };',
    tests: ['does not let a variable undo what the file says, for chats or for the CLI: %j'],
  },
  {
    ...CHOICE,
    file: 'src/config/precedence.ts',
    name: 'a backend for chats in a variable is not compared with that of all commands in the file',
    old: '...own.slice(1), ...general(setting, own, stated)',
    new: '...own.slice(1)',
    tests: ['does not let a variable undo what the file says, for chats or for the CLI: %j'],
  },
  {
    ...CHOICE,
    file: 'src/base/safer.ts',
    name: 'a folder that only one of two sources names is mounted',
    old: 'return both.length === one.length ? one : both;',
    new: 'return one;',
    tests: ['take the safer: %s, %s'],
  },
  {
    promise: 'P2',
    file: 'src/cli/run-cli.ts',
    testFile: 'src/cli/run-cli.test.ts',
    name: 'nobody hears that a safer source has overruled another',
    old: 'for (const text of config.overruled.filter(each => !warned.has(each))) {',
    new: 'for (const text of config.overruled.filter(() => false)) {',
    tests: [
      'every command says in one line where a safer source overrules a stronger one; show --origin shows both',
    ],
  },
  {
    ...CHOICE,
    name: 'local takes the place of an unknown backend',
    old: "  if (facts) return { kind: 'chosen', backend, facts };",
    new: "  const other = facts ?? backends['local'];\n  if (other) return { kind: 'chosen', backend, facts: other };",
    tests: ['is refused when it is unknown here; no other one takes its place'],
  },
  {
    ...CHOICE,
    name: 'a recorded choice without isolation is taken',
    old: 'if (!among.includes(recorded.name)) {',
    new: "if (recorded.name === '') {",
    tests: ['is refused when auto is said to have come to something that isolates nothing'],
  },
  {
    ...POLICY,
    name: 'a network that the operator closed is opened where it cannot be closed',
    old: ' && !isIsolated(isolation) && !isWritten',
    new: ' && !isIsolated(isolation)',
    tests: ['is refused where it was to be closed by somebody’s word and cannot be'],
  },
  {
    ...POLICY,
    name: 'variables for chats reach the sandboxes of the command line',
    old: "env: isMessaging ? decided('gateway.sandbox_forward_env') : NOTHING_OF_OURS",
    new: "env: decided('gateway.sandbox_forward_env')",
    tests: ['has folders and variables of the gateway for chats only'],
  },
  {
    ...POLICY,
    name: 'a sandbox keeps its open network after the setting was closed',
    old: "  'network',\n  'limits',",
    new: "  'limits',",
    tests: ['changes its hash with what shapes the sandbox, and with nothing else'],
  },
  {
    ...AUTO,
    name: 'auto takes a backend that does not work',
    old: 'if (reasons.length === 0) return { name, passed };',
    new: 'return { name, passed };',
    tests: ['does not start on auto when no isolated backend works'],
  },
  {
    ...AUTO,
    name: 'the gateway starts on a backend that does not work',
    old: '  if (reasons.length === 0) return;\n',
    new: '  if (reasons.length >= 0) return;\n',
    tests: ['does not start when the chosen backend does not work, and takes no other'],
  },
];
