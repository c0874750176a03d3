// Which probe is seen succeeding where: without a sandbox every probe must be able to succeed, or its "contained" would
// prove nothing. docs/security/containment.md is generated from this.
import { existsSync } from 'node:fs';
import { allProbes } from '../../src/containment/all-probes.ts';
import type { ThrowawayOptions } from './throwaway.ts';

/** The settings in which probes succeed, from the least careless to the most. */
export const settings = {
  local: {
    doc: 'the `local` backend',
    options: { backend: 'local' },
  },
  bare: {
    doc: 'children that inherit environment and terminal, and are not looked for',
    options: { backend: 'bare', hasTerminal: true },
  },
  blind: {
    doc: 'the same without `/proc`, so that a kill finds nothing',
    options: { backend: 'blind' },
  },
  naive: {
    doc: 'a protocol with a fixed text for the end of a command',
    options: { backend: 'bare', isNaive: true },
  },
} as const satisfies Record<string, { doc: string; options: ThrowawayOptions }>;

export type SettingName = keyof typeof settings;

/** What `local` keeps from commands, too: other settings show that it could be had. */
const ELSEWHERE: Readonly<Record<string, SettingName>> = {
  'processes.environment': 'bare',
  'kernel.tiocsti': 'bare',
  'life.destroy': 'bare',
  'life.timeout': 'blind',
  'life.cancel': 'blind',
  'protocol.imitated': 'naive',
};

/** A file that a kernel has when it has what is probed; without it there is nothing to be seen. */
const KERNEL_FILES: Readonly<Record<string, string>> = {
  'kernel.sysrq': '/proc/sysrq-trigger',
  'kernel.release-agent': '/sys/fs/cgroup/memory/release_agent',
  'kernel.kexec': '/sys/kernel/kexec_loaded',
  'kernel.module': '/proc/modules',
  'kernel.bpf': '/proc/sys/kernel/unprivileged_bpf_disabled',
  'kernel.io-uring': '/proc/sys/kernel/io_uring_disabled',
  'kernel.perf': '/proc/sys/kernel/perf_event_paranoid',
  'kernel.userfaultfd': '/proc/sys/vm/unprivileged_userfaultfd',
  'kernel.keyctl': '/proc/keys',
  'devices.block': '/proc/partitions',
  'network.ipv6': '/proc/net/if_inet6',
};

export interface Control {
  readonly probe: string;
  readonly setting: SettingName;
  /** Where the kernel lacks this file the probe cannot succeed anywhere. */
  readonly kernelFile?: string;
}

export const controls: readonly Control[] = allProbes.map(({ id }) => {
  const kernelFile = KERNEL_FILES[id];
  return { probe: id, setting: ELSEWHERE[id] ?? 'local', ...(kernelFile ? { kernelFile } : {}) };
});

/** Why a control cannot be seen on this machine; undefined when it must be. */
export function cannotBeSeen({ kernelFile }: Control): string | undefined {
  return kernelFile === undefined || existsSync(kernelFile) ? undefined : `this kernel has no ${kernelFile}`;
}
