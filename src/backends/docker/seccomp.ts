// The filter of system calls. Engines from version 25 on have a good one by default, and keep it. The default of the ones before
// lets io_uring through; those that we know it of are given the same without io_uring. A container that can write a folder of the
// host is given ours on every engine: no file may get a set-user-id or set-group-id bit there.
import { CREATING_FLAGS, MODE_CALLS, type ModeCall, SET_ID_BITS, UNSEEN_MODE_CALL } from '../set-id-calls.ts';
import type { Info } from './answers.ts';
import { ALLOWED, LATER, OF_CAPABILITY, PROCESSORS } from './system-calls.ts';

/** The first whose default is known to hold everything that we allow, and the first that needs nothing else from us. */
const FROM = [20, 10, 24];
const BEFORE = [25, 0, 0];

/** Every flag of clone that makes a namespace. */
const NAMESPACES = 0x7e020000;
const PERSONALITIES = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff];
const AF_VSOCK = 40;
const ENOSYS = 38;

interface Rule {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO';
  readonly errnoRet?: number;
  readonly args?: readonly { index: number; value: number; valueTwo?: number; op: string }[];
  readonly includes?: { readonly minKernel: string };
}

export interface ProfileWanted {
  readonly extraCaps: readonly string[];
  /** The container can write a folder of the host. */
  readonly refusesSetId: boolean;
}

/**
 * A profile for the engine to use instead of its default, as JSON; undefined where the default stays: on newer engines, unless
 * set-id bits are to be refused, on others than these, and wherever the engine's operator has chosen a profile.
 */
export function seccompProfileFor(
  info: Info,
  { extraCaps, refusesSetId }: ProfileWanted,
): string | undefined {
  const version = /^(\d+)\.(\d+)\.(\d+)/.exec(info.ServerVersion)?.slice(1).map(Number);
  const processor = PROCESSORS[info.Architecture];
  const isDefault = info.SecurityOptions?.some(option =>
    /^name=seccomp,profile=(default|builtin)$/.test(option),
  );
  if (!version || !processor || !isDefault || isBefore(version, FROM)) return undefined;
  if (!refusesSetId && !isBefore(version, BEFORE)) return undefined;
  const caps = extraCaps.map(name => name.replace(/^CAP_/, ''));
  const { filter, also, calls } = processor;
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ERRNO',
    archMap: [{ architecture: filter, subArchitectures: also }],
    syscalls: [
      ...(refusesSetId
        ? withoutSetId([...ALLOWED, ...LATER, ...calls], caps)
        : [allow([...ALLOWED, ...calls])]),
      ...judged(caps.includes('SYS_ADMIN')),
      ...ofCapabilities(caps),
    ],
  });
}

/** Calls whose arguments decide. */
function judged(isAdmin: boolean): Rule[] {
  return [
    // On older kernels a traced process could get past the filter.
    { ...allow(['ptrace']), includes: { minKernel: '4.8' } },
    ...PERSONALITIES.map(value => ({
      ...allow(['personality']),
      args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }],
    })),
    // Sockets to the hypervisor know nothing of network namespaces.
    { ...allow(['socket']), args: [{ index: 0, value: AF_VSOCK, op: 'SCMP_CMP_NE' }] },
    ...(isAdmin ? [] : cloneWithoutNamespaces),
  ];
}

/** With the right to it, a file could be given capabilities instead; what an attribute is called stands in memory. */
const SET_ATTRIBUTES = ['setxattr', 'lsetxattr', 'fsetxattr'];

function withoutSetId(names: readonly string[], caps: readonly string[]): Rule[] {
  const refused = [...Object.keys(MODE_CALLS), UNSEEN_MODE_CALL];
  if (caps.includes('SETFCAP')) refused.push(...SET_ATTRIBUTES);
  return [
    allow(names.filter(name => !refused.includes(name))),
    { names: [UNSEEN_MODE_CALL], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
    ...Object.entries<ModeCall>(MODE_CALLS).flatMap(([name, { mode, flags }]) => [
      { ...allow([name]), args: [without(mode, SET_ID_BITS)] },
      // Without these it takes no mode.
      ...(flags === undefined ? [] : [{ ...allow([name]), args: [without(flags, CREATING)] }]),
    ]),
  ];
}

const CREATING = CREATING_FLAGS.reduce((all, flag) => all | flag, 0);

function without(index: number, bits: number) {
  return { index, value: bits, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };
}

const cloneWithoutNamespaces: readonly Rule[] = [
  { ...allow(['clone']), args: [{ index: 0, value: NAMESPACES, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }] },
  // Its flags stand in memory, where no filter can look; without it libc takes clone.
  { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
];

function ofCapabilities(caps: readonly string[]): Rule[] {
  const names = new Set(caps.flatMap(cap => OF_CAPABILITY[cap] ?? []));
  return names.size === 0 ? [] : [allow([...names])];
}

function allow(names: readonly string[]): Rule {
  return { names, action: 'SCMP_ACT_ALLOW' };
}

function isBefore(version: readonly number[], than: readonly number[]): boolean {
  const at = version.findIndex((part, index) => part !== than[index]);
  return at >= 0 && (version[at] ?? 0) < (than[at] ?? 0);
}
