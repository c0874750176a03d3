// Processes of others, and the machine's room for new ones.
import { operands, UNKNOWN } from '../command.ts';
import type { Judged, Rule } from './rule.ts';

const SHELL_JOB = /^%/;

/** The targets of `kill`, without the signal. */
function killed({ args }: Judged): readonly string[] {
  const rest = [...args];
  if (/^-(?:s|n|-signal)$/.test(rest[0] ?? '')) rest.splice(0, 2);
  else if (/^-(?:[A-Za-z]|\d|-signal=)/.test(rest[0] ?? '') && rest.length > 1) rest.shift();
  return rest.filter(arg => arg !== '--');
}

export const processRules: readonly Rule[] = [
  {
    id: 'processes.kill-all',
    threatens: 'processes',
    severity: 'high',
    reason: 'Ends the first process, all processes, or a whole group.',
    programs: ['kill', 'killall5', 'pkill', 'skill', 'slay'],
    matches: command => {
      if (command.program === 'killall5') return true;
      if (command.program === 'pkill' || command.program === 'skill')
        return (
          command.args.some(arg => /^(?:-u|-U|--euid|--uid)/.test(arg)) ||
          operands(command).some(name => /^\.?\*?$|^\.\+?$/.test(name))
        );
      return (
        (killed(command).some(target => /^(?:-?1|-\d+|0)$/.test(target)) ||
          command.variables.includes('PPID')) &&
        !/^-(?:0|l|L)$/.test(command.args[0] ?? '')
      );
    },
    positive: [
      'kill -9 -1',
      'kill -9 1',
      'kill -KILL -- -1',
      'kill 1',
      'pkill -9 -u root',
      'pkill -f .',
      'kill -s KILL 1',
      'kill -STOP $PPID',
    ],
    negative: ['kill %1', 'kill -l', 'kill -0 1234', 'kill $!', 'ps -p 1', 'pgrep node'],
  },
  {
    id: 'processes.kill-by-name',
    threatens: 'processes',
    severity: 'medium',
    reason: 'Ends every process of that name or kind, also those it did not start.',
    programs: [
      'pkill',
      'killall',
      'skill',
      'fuser',
      'taskkill',
      'xkill',
      'Stop-Process',
      'wmic',
      'pskill',
      'loginctl',
    ],
    matches: ({ program, args }) => {
      if (program === 'fuser') return args.some(arg => /^-[a-z]*k|^--kill/.test(arg));
      if (args.some(arg => /^(?:-0|-l|--list|--help|--version|-V)$/.test(arg))) return false;
      if (program === 'xkill') return true;
      if (program === 'loginctl')
        return args.some(arg => /^(?:terminate|kill)-(?:user|session|seat)$/.test(arg));
      return program === 'wmic' ? args.includes('delete') || args.includes('terminate') : args.length > 0;
    },
    positive: [
      'pkill -f node',
      'killall python3',
      'killall -9 -r ".*"',
      'fuser -k 8080/tcp',
      'pkill ssh',
      'taskkill /F /IM x.exe',
      'loginctl terminate-user bob',
    ],
    negative: [
      'pgrep -f node',
      'fuser 8080/tcp',
      'killall -l',
      'ps aux | grep node',
      'pkill --help',
      'loginctl list-sessions',
    ],
  },
  {
    id: 'processes.kill-by-number',
    threatens: 'processes',
    severity: 'medium',
    reason: 'Ends a process by its number, which may not be one of its own.',
    programs: ['kill', 'tgkill'],
    matches: command => {
      if (/^-[sn]$/.test(command.args[0] ?? '') && command.args[1] === '0') return false;
      if (/^-(?:0|l|L)$/.test(command.args[0] ?? '') || command.args.includes('--help')) return false;
      // Neither a variable of the session nor a command says which: it was read from somewhere before.
      const isOfNobody = command.substituted.length === 0 && command.variables.length === 0;
      const isSubstituted =
        command.substituted.length > 0 && !command.substituted.every(({ program }) => program === 'jobs');
      return killed(command).some(
        target =>
          (/^-?\d+$/.test(target) && !SHELL_JOB.test(target)) ||
          (target.includes(UNKNOWN) && (isSubstituted || command.via.includes('xargs') || isOfNobody)),
      );
    },
    positive: [
      'kill 4242',
      'kill -9 4242',
      'kill $(pgrep nginx)',
      'pgrep node | xargs kill -9',
      'kill -TERM `cat app.pid`',
      'ps aux | grep x | awk "{print \\$2}" | xargs kill',
    ],
    negative: [
      'kill %1',
      'kill -0 4242',
      'kill $!',
      'sleep 5 & PID=$!; kill $PID',
      'kill -l 9',
      'kill "$SERVER_PID"',
      'kill $(jobs -p)',
    ],
  },
  {
    id: 'processes.fork-bomb',
    threatens: 'processes',
    severity: 'high',
    reason: 'Starts processes without end until the machine stops answering.',
    programs: ['@fork-bomb', 'stress', 'stress-ng'],
    matches: ({ program, args }) =>
      program === '@fork-bomb' ||
      args.some(
        arg =>
          /^(?:-[a-z]|--(?:cpu|vm|io|fork|hdd|all|sequential))/.test(arg) &&
          !/^--?(?:h|help|version|V)$/.test(arg),
      ),
    positive: [
      ':(){ :|:& };:',
      'while true; do sh & done',
      'bomb() { bomb | bomb & }; bomb',
      "perl -e 'fork while fork'",
      "python3 -c 'import os\nwhile True: os.fork()'",
    ],
    negative: ['f() { echo x & }; f', 'git fork', 'echo ":(){ :|:& };:"', 'stress --help'],
  },
  {
    id: 'processes.attach',
    threatens: 'processes',
    severity: 'medium',
    reason: 'Takes hold of a running process, with all that is in its memory.',
    programs: ['gdb', 'strace', 'ltrace', 'gcore', 'reptyr', 'dtrace', 'frida', 'lldb', 'procdump', 'perf'],
    matches: ({ program, args }) =>
      program === 'gcore' ||
      program === 'reptyr' ||
      (program === 'perf'
        ? args[0] === 'record' && args.some(arg => /^-[pa]/.test(arg))
        : args.some(arg => /^(?:-p|--pid|--attach|-p\d+)/.test(arg))),
    positive: ['gdb -p 123', 'strace -p 1', 'gcore 4242', 'strace -f -p $(pgrep sshd)'],
    negative: ['strace ls', 'gdb ./app', 'perf stat ls', 'ltrace ./app'],
  },
];
