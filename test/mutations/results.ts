// P6 and P9: what is ended leaves no process, and results never lie.
import type { Mutation } from './mutation.ts';

const RESULT = {
  promise: 'P9',
  file: 'src/sandboxes/result.ts',
  testFile: 'src/sandboxes/result.test.ts',
} as const;
const BUFFER = {
  promise: 'P9',
  file: 'src/sandboxes/channel/output-buffer.ts',
  testFile: 'src/sandboxes/channel/output-buffer.test.ts',
} as const;
const MARK = {
  promise: 'P9',
  file: 'src/sandboxes/channel/mark-scanner.ts',
  testFile: 'src/sandboxes/channel/mark-scanner.test.ts',
} as const;
const UNATTENDED = {
  promise: 'P6',
  file: 'src/sandboxes/channel/shell/unattended.sh',
  testFile: 'test/integration/channel-crash.test.ts',
} as const;
const CHANNEL = { promise: 'P6', file: 'src/sandboxes/channel/channel.ts' } as const;

export const results: readonly Mutation[] = [
  {
    promise: 'P9',
    file: 'src/sandboxes/channel/shell/lane.sh',
    testFile: 'test/integration/bubblewrap/limits.test.ts',
    name: 'that memory ran out is said only of commands that it ended',
    old: '  # Whatever it ended with: the kernel may have ended a part of it only.\n  count_oom\n',
    new: "  [[ $verdict == 'signaled 9' ]] && count_oom\n",
    tests: ['tells that memory ran out whatever the exit code, also of jobs'],
  },
  {
    promise: 'P9',
    file: 'src/sandboxes/channel/shell/job.sh',
    testFile: 'test/integration/bubblewrap/limits.test.ts',
    name: 'a background process does not tell that memory ran out',
    old: "count_oom\nprintf '%s",
    new: "printf '%s",
    tests: ['tells that memory ran out whatever the exit code, also of jobs'],
  },
  {
    ...UNATTENDED,
    name: 'a command outlives the gateway that has started it',
    old: '    each_record run end_mine\n',
    new: '',
    tests: ['takes its %s command along, and no job'],
  },
  {
    ...UNATTENDED,
    name: 'a time limit holds only as long as the gateway counts',
    old: 'if ((deadline > 0 && now > deadline)); then',
    new: 'if ((deadline > 0 && now > deadline && 0)); then',
    tests: ['is told that a command is over when its time has been for a while'],
  },
  {
    ...UNATTENDED,
    name: 'a new gateway leaves what an earlier one has left running',
    old: '  [[ $state == run ]] && end_recorded\n',
    new: '',
    tests: ['leaves its %s command to the next one, which ends it, says so once, and can work'],
  },
  {
    ...UNATTENDED,
    name: 'a new gateway ends commands of others who are still there',
    old: '  [[ $owner == $earlier ]] || ! lane_lives || return\n',
    new: '',
    tests: ['does not keep a command of somebody else from going on'],
  },
  {
    ...UNATTENDED,
    promise: 'P9',
    name: 'a command that was said not to have begun is run later',
    old: 'then printf off 1<>"$record" && called_off=$tag; fi',
    new: 'then called_off=$tag; fi',
    tests: ['is said not to have begun when its time is over, and never begins'],
  },
  {
    ...RESULT,
    name: 'a command that nobody saw end is said to have ended with all its processes',
    old: "lost: 'unknown', unbegun: 'unbegun'",
    new: "lost: 'ended', unbegun: 'ended'",
    tests: ['says of an interrupted command %s only when that was seen'],
  },
  {
    ...RESULT,
    name: 'a command that timed out seems to have ended by itself',
    old: '  if (interruption !== undefined) return { outcome: interruption, interrupted: INTERRUPTED[end.kind] };\n',
    new: '',
    tests: ['is %s whatever the killed command reported'],
  },
  {
    ...RESULT,
    name: 'a command in a lost sandbox seems to have succeeded',
    old: "if (end.kind === 'lost' || end.kind === 'unbegun') return { outcome: 'sandbox-lost' };",
    new: "if (end.kind === 'lost' || end.kind === 'unbegun') return { outcome: 'exited', exitCode: 0 };",
    tests: ['says that nothing is known when the sandbox was lost'],
  },
  {
    ...RESULT,
    name: 'a command that a signal ended has an exit code',
    old: "return { outcome: 'signaled', signal: signalName(end.number) };",
    new: "return { outcome: 'exited', exitCode: 128 + end.number };",
    tests: ['names the signal that ended it, and has no exit code then'],
  },
  {
    ...RESULT,
    name: 'a result keeps quiet about output that is missing',
    old: 'truncated: stdout.omitted + stderr.omitted > 0,',
    new: 'truncated: stdout.omitted > 0 && stderr.omitted > 0,',
    tests: ['says that output is missing when either stream was cut'],
  },
  {
    ...BUFFER,
    name: 'nothing says where output is missing',
    old: '\\n… ${omitted} bytes left out …\\n',
    new: '\\n',
    tests: ['says in its text where something is missing'],
  },
  {
    ...BUFFER,
    name: 'the count of output bytes is too small',
    old: 'this.#total += bytes.length;',
    new: 'this.#total += Math.min(bytes.length, this.#headCap);',
    tests: ['holds no more than its cap and one piece, whatever goes through'],
  },
  {
    ...MARK,
    name: 'an end mark that arrives in two pieces is taken for output',
    old: 'at === -1 ? this.#possibleStart(bytes) : at',
    new: 'at === -1 ? bytes.length : at',
    tests: ['is found when it is cut at any byte'],
  },
  {
    ...MARK,
    name: 'an end mark without an end fills the memory',
    old: "if (bytes.length > LONGEST_WORDS) return 'bad';",
    new: '',
    tests: ['without an end is an error, not a growing buffer'],
  },
  {
    promise: 'P9',
    name: 'a model is not told that its command failed',
    file: 'src/tools/command-outcome.ts',
    old: "result.outcome !== 'exited' || result.exitCode !== 0",
    new: "result.outcome !== 'exited'",
    testFile: 'test/integration/tools/door.test.ts',
    tests: ['gives models all tools, and programs those that are for them, without background'],
  },
  {
    ...CHANNEL,
    name: 'a cancelled command goes on',
    old: '      void this.#killFromInside(running);\n',
    new: '',
    testFile: 'test/integration/run-command.test.ts',
    tests: ['exits 130 on Ctrl-C, says so, and leaves nothing'],
  },
  {
    ...CHANNEL,
    name: 'a command whose connection was lost runs beside the next one',
    old: "if (end.kind === 'lost') this.#orphans.set(tag, { tag, mode: options.mode, since });",
    new: '',
    testFile: 'test/integration/channel-attacks.test.ts',
    tests: ['when a one-shot command kills its lane: lost, and nothing of it runs beside the next'],
  },
  {
    ...CHANNEL,
    name: 'what a program leaves behind goes on',
    old: "const isEnded = options.leftBehind === 'ended' || ",
    new: 'const isEnded = ',
    testFile: 'test/integration/execute-code/limits.test.ts',
    tests: ['leaves nothing running when it ends by itself'],
  },
  {
    promise: 'P10',
    name: 'a command whose sandbox was lost under it is run again',
    file: 'src/sessions/lease.ts',
    old: `if (ended.outcome === 'sandbox-lost' && this.#held.handle === handle) this.#isLost = true;
        return ended;`,
    new: `if (ended.outcome !== 'sandbox-lost') return ended;
        this.#isLost = true;
        await this.#restore();
        return this.#held.handle.exec(command, options);`,
    testFile: 'test/integration/sessions/lease.test.ts',
    tests: ['P10: runs no command again whose sandbox was lost under it'],
  },
  {
    promise: 'P9',
    name: 'a session is not told that its sandbox was lost',
    file: 'src/sessions/life.ts',
    old: 'if (lost?.sessionId) await store.sessions.markLost(lost.sessionId);',
    new: '',
    testFile: 'test/integration/sessions/lease.test.ts',
    tests: ['P9: says that the sandbox was reset, also after a restart'],
  },
];
