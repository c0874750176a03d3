// Requirements about what a command comes to: its exit, its signals, its output, its input, its text.
import type { RequirementGroup } from '../requirement.ts';

export const exit = {
  'exit.codes': { modes: 'both', promises: ['P9'], text: 'tells 0, 1, 3, 124 and 255 as exit codes' },
  'exit.above-128': {
    modes: 'both',
    promises: ['P9'],
    text: 'tells 130, 137, 141 and 143 as exit codes when a command exits with them',
  },
  'exit.no-program': {
    modes: 'both',
    text: 'tells 127 for a program that does not exist, 126 for one that is none',
  },
  'exit.duration': { modes: 'both', text: 'tells how long the command took' },
} as const satisfies RequirementGroup;

export const signal = {
  'signal.kill': { modes: 'both', promises: ['P9'], text: 'tells SIGKILL from exit 137' },
  'signal.term': { modes: 'both', promises: ['P9'], text: 'tells SIGTERM from exit 143' },
  'signal.int': { modes: 'both', promises: ['P9'], text: 'tells SIGINT from exit 130' },
  'signal.pipe': { modes: 'both', promises: ['P9'], text: 'tells SIGPIPE from exit 141' },
  'signal.abort': { modes: 'both', promises: ['P9'], text: 'tells SIGABRT from exit 134' },
} as const satisfies RequirementGroup;

export const output = {
  'output.streams': { modes: 'both', text: 'passes output on before the command has ended' },
  'output.apart': {
    modes: 'both',
    promises: ['P9'],
    text: 'keeps stderr apart from stdout, each in its order',
  },
  'output.exact': {
    modes: 'both',
    promises: ['P9'],
    text: 'adds and drops nothing: no newline, no output at all',
  },
  'output.megabytes': { modes: 'both', promises: ['P9'], text: 'passes 10 MB without loss' },
  'output.slow': {
    modes: 'any',
    text: 'lets a slow listener slow the command, and piles up nothing',
  },
  'output.bulk': {
    modes: 'both',
    isLong: true,
    promises: ['P9'],
    text: 'passes 300 MB in bounded memory and disk, and counts it exactly (1 GB on local and docker)',
  },
  'output.truncated': {
    modes: 'both',
    promises: ['P9'],
    text: 'keeps beginning and end within the cap, and says so',
  },
  'output.bad-utf8': {
    modes: 'both',
    promises: ['P9'],
    text: 'keeps bytes that are no UTF-8, and shows U+FFFD',
  },
  'output.nul': { modes: 'both', promises: ['P9'], text: 'keeps NUL bytes' },
  'output.imitations': {
    modes: 'both',
    promises: ['P9'],
    text: 'keeps output that looks like the messages of the channel itself',
  },
  'output.devices': {
    modes: 'both',
    promises: ['P9'],
    text: 'loses nothing when /dev/stdout and /dev/stderr are opened',
  },
} as const satisfies RequirementGroup;

export const stdin = {
  'stdin.eof': { modes: 'both', text: 'gives a command its input and then the end of it' },
  'stdin.none': { modes: 'both', text: 'gives a command without input an empty one' },
  'stdin.megabytes': { modes: 'both', text: 'gives a command 10 MB of raw bytes' },
  'stdin.unread': { modes: 'both', text: 'goes on after a command that leaves its input unread' },
} as const satisfies RequirementGroup;

export const script = {
  'script.quotes': {
    modes: 'both',
    text: 'runs scripts with quotes, backslashes and percent signs as they are',
  },
  'script.lines': { modes: 'both', text: 'runs scripts of several lines, with comments and continuations' },
  'script.heredoc': { modes: 'both', text: 'runs scripts with heredocs' },
  'script.unicode': { modes: 'both', text: 'runs scripts with any Unicode text' },
  'script.megabyte': { modes: 'both', text: 'runs a script of 1 MB' },
  'script.empty': { modes: 'both', text: 'runs an empty script' },
  'script.nul': { modes: 'both', text: 'refuses a script with a NUL byte and runs nothing of it' },
  'script.unterminated': { modes: 'both', text: 'answers an unterminated quote with an error, not a hang' },
} as const satisfies RequirementGroup;
