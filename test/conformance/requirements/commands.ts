// Requirements about commands and their processes: ending them, running several, leaving some behind, and where.
import type { RequirementGroup } from '../requirement.ts';

export const kill = {
  'kill.child': { modes: 'both', promises: ['P6', 'P9'], text: 'ends a child on time-out and cancel' },
  'kill.grandchild': { modes: 'both', promises: ['P6'], text: 'ends a grandchild on time-out and cancel' },
  'kill.subshell': { modes: 'both', promises: ['P6'], text: 'ends subshells on time-out and cancel' },
  'kill.daemon': {
    modes: 'both',
    promises: ['P6'],
    text: 'ends a daemon (forked twice, session of its own) on time-out and cancel',
  },
  'kill.untagged': { modes: 'both', promises: ['P6'], text: 'ends a child that has emptied its environment' },
  'kill.stray': {
    modes: 'both',
    needs: 'ownProcesses',
    promises: ['P6'],
    text: 'ends on time-out and cancel also what has left group, session, parent and environment',
  },
  'kill.deaf': { modes: 'both', promises: ['P6'], text: 'ends a command that ignores signals' },
  'kill.spinning': { modes: 'both', promises: ['P6'], text: 'ends a command that spins without children' },
  'kill.breeding': { modes: 'both', promises: ['P6'], text: 'ends a command that keeps starting processes' },
  'kill.flooding': { modes: 'both', promises: ['P6', 'P9'], text: 'ends a command that writes without end' },
  'kill.rest': {
    modes: 'both',
    promises: ['P6', 'P9'],
    text: 'runs nothing of a command after its time-out, keeps what it wrote before, and is not exit 124',
  },
  'kill.others': { modes: 'both', promises: ['P6'], text: 'spares other commands' },
  'kill.next': { modes: 'both', promises: ['P6'], text: 'serves the next command after a time-out' },
} as const satisfies RequirementGroup;

export const cancel = {
  'cancel.before': { modes: 'both', promises: ['P9'], text: 'runs nothing when cancelled before the start' },
  'cancel.midway': {
    modes: 'both',
    promises: ['P6', 'P9'],
    text: 'resolves to canceled, not exit 130, and keeps the output so far',
  },
  'cancel.after': { modes: 'both', promises: ['P9'], text: 'changes nothing when cancelled after the end' },
  'cancel.waiting': {
    modes: 'persistent',
    promises: ['P9'],
    text: 'resolves at once, and runs nothing, when cancelled while waiting for its turn',
  },
} as const satisfies RequirementGroup;

export const background = {
  'background.free': { modes: 'both', text: 'returns although a background child goes on' },
  'background.apart': {
    modes: 'both',
    promises: ['P9'],
    text: 'keeps a background child’s output out of later commands',
  },
  'background.listed': {
    modes: 'both',
    promises: ['P9'],
    text: 'lists what a command left behind, in its result and among the processes, with a log',
  },
  'background.detached': {
    modes: 'both',
    text: 'lists and ends a background child that has let go of its output',
  },
  'background.stray': {
    modes: 'both',
    needs: 'ownProcesses',
    promises: ['P6'],
    text: 'lists also what has left group, session, parent and environment, and spares it when other commands end',
  },
  'background.ended': { modes: 'both', text: 'ends what a command left behind when told to' },
  'background.spared': {
    modes: 'both',
    text: 'spares an earlier background child when a later command times out',
  },
  'background.start': {
    modes: 'any',
    text: 'starts a process, tells that it runs, waits for it, tells its exit code',
  },
  'background.signaled': { modes: 'any', promises: ['P9'], text: 'tells the signal that ended a process' },
  'background.log': { modes: 'any', text: 'has the log of a process while it runs and afterwards' },
  'background.long-log': { modes: 'any', text: 'keeps the end of a long log, and bounds it' },
  'background.write': { modes: 'any', text: 'writes to the input of a process' },
  'background.kill': { modes: 'any', promises: ['P6'], text: 'kills a process and all that it started' },
  'background.cwd': {
    modes: 'any',
    text: 'starts a process in the folder asked for; a missing one is an error',
  },
  'background.wait': { modes: 'any', text: 'gives up waiting when cancelled, and the process goes on' },
  'background.found': { modes: 'any', text: 'finds a process by its id; an unknown id is an error' },
} as const satisfies RequirementGroup;

export const concurrency = {
  'concurrency.twenty': { modes: 'one-shot', text: 'runs 20 commands at once and mixes nothing' },
  'concurrency.beside': { modes: 'one-shot', text: 'runs 20 commands beside a long persistent one' },
  'concurrency.order': { modes: 'persistent', text: 'runs persistent commands one at a time, in call order' },
  'concurrency.sandboxes': { modes: 'both', text: 'shares nothing between two sandboxes' },
} as const satisfies RequirementGroup;

export const cwd = {
  'cwd.configured': { modes: 'both', text: 'starts where the sandbox says' },
  'cwd.call': { modes: 'both', text: 'runs in the folder of the call, which does not stick' },
  'cwd.relative': { modes: 'both', text: 'takes a relative folder from the sandbox’s own' },
  'cwd.odd': { modes: 'both', text: 'runs in folders with odd names' },
  'cwd.missing': {
    modes: 'both',
    promises: ['P9'],
    text: 'rejects a missing folder with SANDBOX_CWD_MISSING, runs nothing',
  },
} as const satisfies RequirementGroup;

export const crash = {
  'crash.ends': {
    modes: 'both',
    promises: ['P6'],
    text: 'ends a command with all that it started when its gateway is gone; a job goes on',
  },
  'crash.found': {
    modes: 'both',
    needs: 'survivesGateway',
    promises: ['P6'],
    text: 'ends for the next gateway what one that hangs is still running, and says how many; a job goes on',
  },
} as const satisfies RequirementGroup;
