// The filter is judged by running it: a small interpreter of classic BPF stands in for the kernel.
import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp.ts';
import { type Architecture, JUDGED, MODE_NUMBERS, REFUSED } from './syscalls.ts';

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

interface Call {
  readonly number: number;
  readonly arguments?: readonly bigint[];
  readonly audit?: number;
  /** Whether the sandbox can write a folder of the host. */
  readonly onHost?: boolean;
}

/** What the kernel would do with a call. */
function verdict(architecture: Architecture, call: Call): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(call.audit ?? AUDIT[architecture], 4);
  for (const [at, value] of (call.arguments ?? []).entries()) data.writeBigUInt64LE(value, 16 + 8 * at);
  const filter = seccompFilter(architecture, { refusesSetId: call.onHost ?? false });
  const value = run(Buffer.from(filter), data);
  if (value === 0x7fff0000) return 'allow';
  if (value === 0x80000000) return 'kill';
  return `errno ${value & 0xffff}`;
}

function run(program: Buffer, data: Buffer): number {
  let word = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8);
    const [yes, no] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    const value = program.readUInt32LE(at * 8 + 4);
    const holds: Record<number, () => boolean> = {
      21: () => word === value,
      53: () => word >= value,
      69: () => (word & value) !== 0,
    };
    if (code === 0x06) return value;
    if (code === 0x20) word = data.readUInt32LE(value);
    else if (holds[code]) at += holds[code]() ? yes : no;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the program ran past its end');
}

const CLONE_NEWUSER = 0x10000000n;
const CLONE_THREAD_FLAGS = 0x3d0f00n;

describe.each(['x64', 'arm64'] as const)('the filter for %s', architecture => {
  const on = (call: Call): string => verdict(architecture, call);
  const judged = (name: keyof typeof JUDGED, ...args: bigint[]): string =>
    on({ number: JUDGED[name][architecture], arguments: args });

  it.each(Object.entries(REFUSED).filter(([, numbers]) => architecture in numbers))(
    'refuses %s',
    (_name, numbers) => {
      expect(on({ number: numbers[architecture] ?? -1 })).toBe('errno 1');
    },
  );

  it('allows what programs live on: read, write, openat, execve, exit_group', () => {
    const numbers = { x64: [0, 1, 257, 59, 231], arm64: [63, 64, 56, 221, 94] }[architecture];
    for (const number of numbers) expect(on({ number })).toBe('allow');
  });

  it('kills a call of another architecture', () => {
    expect(on({ number: 0, audit: 0x40000003 })).toBe('kill');
  });

  it('has no clone3, so that libc takes clone, whose flags can be seen', () => {
    expect(judged('clone3')).toBe('errno 38');
  });

  it('lets clone make threads and processes, but no namespaces', () => {
    expect(judged('clone', CLONE_THREAD_FLAGS)).toBe('allow');
    expect(judged('clone', 17n)).toBe('allow');
    for (const flag of [CLONE_NEWUSER, 0x20000n, 0x02000000n, 0x40000000n, 0x20000000n | 17n])
      expect(judged('clone', flag)).toBe('errno 1');
  });

  it('lets unshare part with files, but not with namespaces', () => {
    expect(judged('unshare', 0x400n)).toBe('allow');
    for (const flag of [CLONE_NEWUSER, 0x80n, 0x20000n]) expect(judged('unshare', flag)).toBe('errno 1');
  });

  it('refuses to type into a terminal, also with rubbish in the upper half of the request', () => {
    expect(judged('ioctl', 0n, 0x5401n)).toBe('allow');
    for (const request of [0x5412n, 0x541cn, 0xffffffff00005412n])
      expect(judged('ioctl', 0n, request)).toBe('errno 1');
  });

  it('allows the usual personalities only', () => {
    for (const value of [0n, 8n, 0xffffffffn]) expect(judged('personality', value)).toBe('allow');
    expect(judged('personality', 0x40000n)).toBe('errno 1');
  });

  it('allows sockets that a network namespace contains, and no others', () => {
    for (const family of [1n, 2n, 10n, 16n]) expect(judged('socket', family)).toBe('allow');
    for (const family of [38n, 40n, 17n]) expect(judged('socket', family)).toBe('errno 97');
  });
});

const O_CREAT = 0x40n;
const O_TMPFILE = 0x410000n;
const SET_ID = [0o4755n, 0o2755n, 0o6000n, 0xffffffff00004755n];

/** Every call that takes a mode, as the arguments around the mode. */
const FORMS: Readonly<Record<keyof typeof MODE_NUMBERS, (mode: bigint) => bigint[]>> = {
  chmod: mode => [1n, mode],
  fchmod: mode => [1n, mode],
  fchmodat: mode => [1n, 1n, mode],
  fchmodat2: mode => [1n, 1n, mode, 0n],
  creat: mode => [1n, mode],
  open: mode => [1n, O_CREAT, mode],
  openat: mode => [1n, 1n, O_CREAT, mode],
  mkdir: mode => [1n, mode],
  mkdirat: mode => [1n, 1n, mode],
  mknod: mode => [1n, mode],
  mknodat: mode => [1n, 1n, mode],
};

describe.each(['x64', 'arm64'] as const)(
  'the filter of a sandbox that can write a folder of the host, for %s',
  architecture => {
    const names = Object.keys(FORMS) as (keyof typeof FORMS)[];
    it.each(names.filter(name => architecture in MODE_NUMBERS[name]))('refuses set-id bits to %s', name => {
      const on = (mode: bigint, onHost = true): string =>
        verdict(architecture, {
          ...{ number: MODE_NUMBERS[name][architecture] ?? -1, arguments: FORMS[name](mode), onHost },
        });
      for (const mode of SET_ID) expect(on(mode)).toBe('errno 1');
      for (const mode of [0o755n, 0o1777n, 0n]) expect(on(mode)).toBe('allow');
      // Elsewhere packages may be unpacked with such files.
      expect(on(0o4755n, false)).toBe('allow');
    });

    it('refuses them also to files without a name, and takes no rubbish for a mode', () => {
      const number = MODE_NUMBERS.openat[architecture] ?? -1;
      const openat = (flags: bigint): string =>
        verdict(architecture, { number, arguments: [1n, 1n, flags, 0o4755n], onHost: true });
      expect(openat(O_TMPFILE | 2n)).toBe('errno 1');
      expect(openat(0n)).toBe('allow');
    });

    it('has no openat2, whose mode cannot be seen', () => {
      const number = JUDGED.openat2[architecture];
      expect(verdict(architecture, { number, onHost: true })).toBe('errno 38');
      expect(verdict(architecture, { number })).toBe('allow');
    });
  },
);

describe('the filter for x64', () => {
  it('kills calls of the x32 variant', () => {
    expect(verdict('x64', { number: 0x40000000 + 101 })).toBe('kill');
  });
});
