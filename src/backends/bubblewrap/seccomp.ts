// The system call filter of a sandbox, as the classic BPF program that the kernel takes. Pure: the same bytes for the
// same architecture. syscalls.ts has the calls, docs/backends/bubblewrap.md the reasons.
import { CREATING_FLAGS, MODE_CALLS, type ModeCall, SET_ID_BITS } from '../set-id-calls.ts';
import { type Architecture, JUDGED, MODE_NUMBERS, REFUSED } from './syscalls.ts';

/** A field of the kernel's `seccomp_data`. Arguments have 64 bits; their low half comes first on these machines. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const lowHalf = (argument: number): number => 16 + 8 * argument;

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;

const KILL = 0x80000000;
const ALLOW = 0x7fff0000;
const errno = (number: number): number => 0x00050000 | number;
const EPERM = errno(1);
const ENOSYS = errno(38);
const EAFNOSUPPORT = errno(97);

const AUDIT: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Numbers from here on are those of the x32 variant, which would pass by all rules below. */
const X32 = 0x40000000;

const NAMESPACES = 0x7e020000;
/** In `clone` this bit belongs to the signal. */
const NEW_TIME = 0x80;
const TERMINAL_TRICKS = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX
const PERSONALITIES = [0, 8, 0x20000, 0x20008, 0xffffffff];
/** Unix, IPv4, IPv6, netlink. Others, such as vsock, know nothing of network namespaces. */
const FAMILIES = [1, 2, 10, 16];

interface Instruction {
  readonly code: number;
  readonly yes?: number;
  readonly no?: number;
  readonly value: number;
}

export function isKnownArchitecture(name: string): name is Architecture {
  return Object.hasOwn(AUDIT, name);
}

export interface FilterOptions {
  /** The sandbox can write a folder of the host: no file may get a set-user-id or set-group-id bit. */
  readonly refusesSetId: boolean;
}

export function seccompFilter(architecture: Architecture, { refusesSetId }: FilterOptions): Uint8Array {
  return assemble([
    { code: LOAD, value: ARCHITECTURE },
    { code: EQUAL, value: AUDIT[architecture], yes: 1 },
    { code: RETURN, value: KILL },
    { code: LOAD, value: NUMBER },
    ...(architecture === 'x64' ? when(AT_LEAST, X32, [{ code: RETURN, value: KILL }]) : []),
    ...Object.values(REFUSED).flatMap(numbers => {
      const number = numbers[architecture];
      return number === undefined ? [] : when(EQUAL, number, [{ code: RETURN, value: EPERM }]);
    }),
    // The flags of clone3 stand in memory, where no filter can look; without it libc takes clone.
    ...when(EQUAL, JUDGED.clone3[architecture], [{ code: RETURN, value: ENOSYS }]),
    ...when(EQUAL, JUDGED.clone[architecture], refuseBits(0, NAMESPACES)),
    ...when(EQUAL, JUDGED.unshare[architecture], refuseBits(0, NAMESPACES | NEW_TIME)),
    ...when(EQUAL, JUDGED.ioctl[architecture], refuseValues(1, TERMINAL_TRICKS)),
    ...when(EQUAL, JUDGED.personality[architecture], allowValues(0, PERSONALITIES, EPERM)),
    ...when(EQUAL, JUDGED.socket[architecture], allowValues(0, FAMILIES, EAFNOSUPPORT)),
    ...(refusesSetId ? refuseSetId(architecture) : []),
    { code: RETURN, value: ALLOW },
  ]);
}

function refuseSetId(architecture: Architecture): Instruction[] {
  const names = Object.keys(MODE_CALLS) as (keyof typeof MODE_CALLS)[];
  return [
    ...when(EQUAL, JUDGED.openat2[architecture], [{ code: RETURN, value: ENOSYS }]),
    ...names.flatMap(name => {
      const number = MODE_NUMBERS[name][architecture];
      return number === undefined ? [] : when(EQUAL, number, refuseMode(MODE_CALLS[name]));
    }),
  ];
}

function refuseMode({ mode, flags }: ModeCall): Instruction[] {
  if (flags === undefined) return refuseBits(mode, SET_ID_BITS);
  const creating = CREATING_FLAGS.reduce((all, flag) => all | flag, 0);
  return [
    { code: LOAD, value: lowHalf(flags) },
    { code: ANY_BIT, value: creating, yes: 1 },
    { code: RETURN, value: ALLOW },
    ...refuseBits(mode, SET_ID_BITS),
  ];
}

/** Runs `body`, which must return, if the test of the loaded word holds. */
function when(code: number, value: number, body: readonly Instruction[]): Instruction[] {
  return [{ code, value, no: body.length }, ...body];
}

function refuseBits(argument: number, bits: number): Instruction[] {
  return [
    { code: LOAD, value: lowHalf(argument) },
    ...when(ANY_BIT, bits, [{ code: RETURN, value: EPERM }]),
    { code: RETURN, value: ALLOW },
  ];
}

function refuseValues(argument: number, values: readonly number[]): Instruction[] {
  return [
    { code: LOAD, value: lowHalf(argument) },
    ...values.flatMap(value => when(EQUAL, value, [{ code: RETURN, value: EPERM }])),
    { code: RETURN, value: ALLOW },
  ];
}

function allowValues(argument: number, values: readonly number[], otherwise: number): Instruction[] {
  return [
    { code: LOAD, value: lowHalf(argument) },
    ...values.flatMap(value => when(EQUAL, value, [{ code: RETURN, value: ALLOW }])),
    { code: RETURN, value: otherwise },
  ];
}

function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, { code, yes = 0, no = 0, value }] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(yes, at * 8 + 2);
    bytes.writeUInt8(no, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}
