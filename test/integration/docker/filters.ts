// The filter of system calls that the kernel really has for a process, and what it answers.
import { type CommandResult, runCommand } from '../../services/command.ts';

/** Prints each filter of a process in hexadecimal. Needs the rights of root; it stops the process for a moment. */
const DUMP = `
my ($call, $pid) = map { 0 + $_ } @ARGV;
syscall($call, 0x4206, $pid, 0, 0) == 0 or die "seize: $!";
syscall($call, 0x4207, $pid, 0, 0) == 0 or die "interrupt: $!";
waitpid($pid, 0x40000000);
for (my $at = 0; ; $at++) {
  my $count = syscall($call, 0x420c, $pid, $at, 0);
  last if $count < 0;
  my $program = "\\0" x ($count * 8);
  syscall($call, 0x420c, $pid, $at, $program);
  print unpack("H*", $program), "\\n";
}
syscall($call, 17, $pid, 0, 0);
`;
const PTRACE = { x64: 101, arm64: 117 } as const;

export interface SystemCall {
  readonly number: number;
  /** As the kernel's audit numbers it. */
  readonly audit: number;
  readonly first?: number;
}

/** Programs of classic BPF, as they are installed. */
export async function filtersOf(pid: number): Promise<Buffer[]> {
  const ptrace = PTRACE[process.arch as keyof typeof PTRACE]; // the tests run on these two
  const dumped: CommandResult = await runCommand(['perl', '-e', DUMP, String(ptrace), String(pid)]);
  return dumped.stdout
    .trim()
    .split('\n')
    .map(line => Buffer.from(line, 'hex'));
}

/** The strictest answer of all filters, as the kernel takes it: `allow`, or `errno` with its number. */
export function answerOf(filters: readonly Buffer[], { number, audit, first = 0 }: SystemCall): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(audit, 4);
  data.writeUInt32LE(first >>> 0, 16);
  const answers = filters.map(filter => run(filter, data));
  const refusal = answers.find(answer => answer !== 0x7fff0000);
  if (refusal === undefined) return 'allow';
  return refusal >>> 16 === 5 ? `errno ${refusal & 0xffff}` : `other ${refusal}`;
}

function run(program: Buffer, data: Buffer): number {
  let word = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8);
    const [yes, no] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    else if (code === 0x00) word = value;
    else if (code === 0x20) word = data.readUInt32LE(value);
    else if (code === 0x54) word = (word & value) >>> 0;
    else if (code === 0x05) at += value;
    else at += holds(code, word, value) ? yes : no;
  }
  throw new Error('the program ran past its end');
}

function holds(code: number, word: number, value: number): boolean {
  if (code === 0x15) return word === value;
  if (code === 0x25) return word > value;
  if (code === 0x35) return word >= value;
  if (code === 0x45) return (word & value) !== 0;
  throw new Error(`unknown instruction ${code}`);
}
