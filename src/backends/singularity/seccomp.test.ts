import { expect, it } from 'vitest';
import { seccompProfile } from './seccomp.ts';

interface Profile {
  readonly defaultAction: string;
  readonly syscalls: readonly {
    names: string[];
    action: string;
    args?: { value: number; valueTwo?: number }[];
  }[];
}

const profile = (architecture: string, refusesSetId = false): Profile =>
  JSON.parse(seccompProfile(architecture, { refusesSetId }) ?? '') as Profile; // our own text

it('refuses namespaces, however they are asked for', () => {
  const { syscalls } = profile('x64');
  const refused = syscalls
    .filter(({ action, args }) => action === 'SCMP_ACT_ERRNO' && !args)
    .flatMap(({ names }) => names);
  expect(refused).toEqual(
    expect.arrayContaining(['unshare', 'setns', 'mount', 'bpf', 'keyctl', 'io_uring_setup']),
  );
  const flags = syscalls
    .filter(({ names }) => names.includes('clone'))
    .map(({ args }) => args?.[0]?.valueTwo ?? 0);
  expect(flags.reduce((sum, flag) => sum | flag, 0)).toBe(0x7e020000);
  expect(syscalls.find(({ names }) => names.includes('clone3'))?.action).toBe('SCMP_ACT_TRACE');
});

it('leaves sockets of Unix, IPv4, IPv6 and netlink, and no others', () => {
  const families = profile('arm64')
    .syscalls.filter(({ names }) => names.includes('socket'))
    .map(({ args }) => args?.[0]?.valueTwo);
  for (const family of [1, 2, 10, 16]) expect(families).not.toContain(family);
  for (const family of [0, 17, 38, 40]) expect(families).toContain(family);
});

it('has none for a processor that it does not know', () => {
  expect(seccompProfile('mips', { refusesSetId: true })).toBeUndefined();
});

it('refuses set-id bits where a folder of the host can be written, and nowhere else', () => {
  const judged = (isOnHost: boolean, name: string): unknown[] =>
    profile('x64', isOnHost)
      .syscalls.filter(({ names }) => names.includes(name))
      .map(({ action, args }) => [action, ...(args ?? []).map(({ valueTwo }) => valueTwo)]);
  for (const name of [
    'chmod',
    'fchmod',
    'fchmodat',
    'fchmodat2',
    'creat',
    'mkdir',
    'mkdirat',
    'mknod',
    'mknodat',
  ]) {
    expect(judged(true, name)).toEqual([
      ['SCMP_ACT_ERRNO', 0o4000],
      ['SCMP_ACT_ERRNO', 0o2000],
    ]);
    expect(judged(false, name)).toEqual([]);
  }
  for (const name of ['open', 'openat'])
    expect(judged(true, name)).toEqual(
      [0o4000, 0o2000].flatMap(bit => [
        ['SCMP_ACT_ERRNO', 0x40, bit],
        ['SCMP_ACT_ERRNO', 0x400000, bit],
      ]),
    );
  expect(judged(true, 'openat2')).toEqual([['SCMP_ACT_TRACE']]);
});
