// Raw system calls from inside a sandbox, by a small program in Perl or, where there is none, in Python: what a shell
// alone cannot try. One process makes a list of calls, one after the other until one fails, and can then stay, so that
// the outside can look at what it holds.
import { getSystemErrorName } from 'node:util';
import { shellJoin } from '../base/shell-quote.ts';
import type { ExecResult } from '../sandboxes/result.ts';
import { isHeld, type Look, runHeld } from './hold.ts';
import type { Place } from './probe.ts';

/** x86-64 and arm64. What arm64 never had is a number that no kernel has. */
const NONE = 100_000;
const NUMBERS = {
  accept: [43, 202],
  bind: [49, 200],
  bpf: [321, 280],
  chmod: [90, NONE],
  connect: [42, 203],
  creat: [85, NONE],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  init_module: [175, 105],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  kill: [62, 129],
  linkat: [265, 37],
  listen: [50, 201],
  mkdir: [83, NONE],
  mkdirat: [258, 34],
  mknod: [133, NONE],
  mknodat: [259, 33],
  mount: [165, 40],
  name_to_handle_at: [303, 264],
  open: [2, NONE],
  open_by_handle_at: [304, 265],
  openat: [257, 56],
  openat2: [437, 437],
  perf_event_open: [298, 241],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  ptrace: [101, 117],
  sendto: [44, 206],
  socket: [41, 198],
  unshare: [272, 97],
  userfaultfd: [323, 282],
} as const;

/**
 * A number, or `text` with a zero at its end, `bytes`, `zeros` to be filled in, the vector of `foreign` memory, the
 * vector of an `own` buffer that is printed at the end, or the `result` of an earlier call.
 */
export type Argument =
  | number
  | bigint
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
  | { readonly zeros: number }
  | { readonly foreign: bigint; readonly length: number }
  | { readonly own: number }
  | { readonly result: number };

export type Call = readonly [keyof typeof NUMBERS, ...Argument[]];

export interface Calls<T> {
  /** Why no call could be made at all. */
  readonly impossible?: string;
  /** How many succeeded. */
  readonly succeeded: number;
  /** The name of the error that ended the list, such as EPERM. */
  readonly error?: string;
  /** What the calls wrote into own buffers. */
  readonly buffers: string;
  /** What was seen from outside while the process stayed; absent when a call failed. */
  readonly seen?: T;
}

export interface CallOptions<T> {
  /** Stands in the arguments of the process. */
  readonly marker: string;
  /** Called while the process stays, once all calls have succeeded. */
  readonly look?: Look<T>;
  readonly timeoutMs?: number;
}

/** At the current folder; the first argument of calls that take a path. */
export const HERE = -100;

const NO_TOOL = 97;
const HOLD_SECONDS = 15;
const TIMEOUT_MS = 8_000;

export async function runCalls<T>(
  place: Place,
  calls: readonly Call[],
  { marker, look, timeoutMs = TIMEOUT_MS }: CallOptions<T>,
): Promise<Calls<T>> {
  const hold = look ? HOLD_SECONDS : 0;
  const words = [marker, String(hold), ...calls.flatMap(call => [...encode(call), '--'])];
  const { result, seen } = await runHeld(place, `${TOOL}\nrun ${shellJoin(words)}`, {
    timeoutMs,
    ...(look ? { look } : {}),
  });
  const answer = readAnswer(result, calls.length);
  return isHeld(seen) ? { ...answer, seen: seen.held } : answer;
}

function readAnswer(result: ExecResult, count: number): Calls<never> {
  const nothing = { succeeded: 0, buffers: '' };
  if (result.exitCode === NO_TOOL) {
    return { ...nothing, impossible: 'no Perl and no Python with ctypes in it to make the call' };
  }
  const values = [...result.stdout.matchAll(/^call (-?\d+) (\d+)$/gm)];
  const failed = values.find(([, value]) => Number(value) < 0);
  const buffers = [...result.stdout.matchAll(/^buffer (.*)$/gm)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('');
  const succeeded = failed ? values.length - 1 : values.length;
  if (failed) return { succeeded, buffers, error: getSystemErrorName(-Number(failed[2])) };
  if (succeeded === count) return { succeeded, buffers };
  return {
    succeeded,
    buffers,
    error: result.outcome === 'timed-out' ? 'no answer in time' : killedBy(result),
  };
}

function killedBy(result: ExecResult): string {
  return result.signal ?? (result.stderr.trim().split('\n').at(-1) || `exit code ${result.exitCode}`);
}

/** The numbers of both architectures go along: only the sandbox knows which one it has. */
function encode([name, ...args]: Call): string[] {
  return [NUMBERS[name].join('/'), ...args.map(encodeArgument)];
}

function encodeArgument(argument: Argument): string {
  if (typeof argument !== 'object') return `i${argument}`;
  if ('text' in argument) return `b${Buffer.from(`${argument.text}\0`).toString('hex')}`;
  if ('bytes' in argument) return `b${Buffer.from(argument.bytes).toString('hex')}`;
  if ('zeros' in argument) return `b${'00'.repeat(argument.zeros)}`;
  if ('foreign' in argument) return `v${argument.foreign}:${argument.length}`;
  return 'own' in argument ? `w${argument.own}` : `r${argument.result}`;
}

const PERL = String.raw`
$| = 1;
my ($arm, $mark, $hold, @words) = @ARGV;
my (@values, @call, @own);
for my $word (@words) {
  if ($word eq "--") {
    my $number = shift @call;
    my $value = syscall($number, @call, (0) x (6 - @call));
    my $error = $value == -1 ? $!+0 : 0;
    print "call $value $error\n";
    last if $value == -1;
    push @values, $value;
    @call = ();
  } elsif (!@call) { push @call, 0 + (split "/", $word)[$arm]; }
  elsif ($word =~ /^i(.*)/) { push @call, 0 + $1; }
  elsif ($word =~ /^r(.*)/) { push @call, 0 + $values[$1]; }
  elsif ($word =~ /^b(.*)/) { push @call, pack("H*", $1); }
  elsif ($word =~ /^v(.*):(.*)/) { push @call, pack("QQ", $1, $2); }
  elsif ($word =~ /^w(.*)/) { my $own = "\0" x $1; push @own, \$own; push @call, pack("PQ", $own, $1); }
}
print "buffer ", unpack("H*", $$_), "\n" for @own;
if ($hold && @values == grep { $_ eq "--" } @words) { print "HOLDING\n"; sleep $hold; }
`;

const PYTHON = `
import ctypes, struct, sys, time
arm, mark, hold, *words = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
values, call, own, kept = [], [], [], []
def pointer(data):
    kept.append(ctypes.create_string_buffer(data, len(data)))
    return ctypes.c_long(ctypes.addressof(kept[-1]))
for word in words:
    if word == "--":
        value = libc.syscall(*call)
        print("call", value, ctypes.get_errno() if value == -1 else 0, flush=True)
        if value == -1: break
        values.append(value)
        call = []
    elif not call: call.append(ctypes.c_long(int(word.split("/")[int(arm)])))
    elif word[0] == "i": call.append(ctypes.c_long(int(word[1:])))
    elif word[0] == "r": call.append(ctypes.c_long(values[int(word[1:])]))
    elif word[0] == "b": call.append(pointer(bytes.fromhex(word[1:])))
    elif word[0] == "v": call.append(pointer(struct.pack("QQ", *map(int, word[1:].split(":")))))
    elif word[0] == "w":
        pointer(bytes(int(word[1:])))
        own.append(kept[-1])
        call.append(pointer(struct.pack("QQ", ctypes.addressof(own[-1]), int(word[1:]))))
for each in own: print("buffer", bytes(each).hex())
if int(hold) and len(values) == words.count("--"):
    print("HOLDING", flush=True)
    time.sleep(int(hold))
`;

// Programs are found with the sandbox's own PATH; `exec` keeps the marker in the arguments of one process only.
const TOOL = `perl_text=${shellJoin([PERL])}
python_text=${shellJoin([PYTHON])}
case $(uname -m) in x86_64) arm=0 ;; aarch64) arm=1 ;; *) exit ${NO_TOOL} ;; esac
run() {
  if command -v perl >/dev/null; then exec perl -e "$perl_text" "$arm" "$@"
  elif python3 -c 'import ctypes' 2>/dev/null; then exec python3 -c "$python_text" "$arm" "$@"
  else exit ${NO_TOOL}; fi
}`;
