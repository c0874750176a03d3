// The system call filter of a sandbox, as the profile that Apptainer takes; it has none by itself. Everything is allowed
// but what a command never needs and attacks on the kernel do. docs/backends/singularity.md has the reasons.
import { CREATING_FLAGS, MODE_CALLS, type ModeCall, UNSEEN_MODE_CALL } from '../set-id-calls.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Refused with EPERM, whatever their arguments. */
const REFUSED: readonly string[] = [
  // Other processes' memory and descriptors.
  'ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp move_pages migrate_pages',
  // Large parts of the kernel that no command needs.
  'io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd fanotify_init',
  // Keys are not separated by namespaces.
  'add_key request_key keyctl',
  // The kernel itself.
  'kexec_load kexec_file_load create_module init_module finit_module delete_module get_kernel_syms query_module reboot syslog acct',
  'quotactl quotactl_fd swapon swapoff nfsservctl lookup_dcookie iopl ioperm modify_ldt uselib _sysctl vhangup',
  // Mounts and namespaces.
  'mount umount umount2 pivot_root chroot fsopen fsconfig fsmount fspick open_tree open_tree_attr move_mount mount_setattr setns unshare',
  // Files by handle instead of by path.
  'name_to_handle_at open_by_handle_at',
  // The machine's clock and name.
  'settimeofday stime clock_settime clock_settime64 clock_adjtime clock_adjtime64 adjtimex sethostname setdomainname',
].flatMap(words);

const NAMESPACE_FLAGS = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000];
const SET_ID = [0o4000, 0o2000];
const TERMINAL_TRICKS = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX
/** Unix, IPv4, IPv6, netlink. Others, such as vsock, know nothing of network namespaces. */
const FAMILIES = [1, 2, 10, 16];
const LAST_FAMILY = 64;
const LOW_HALF = 0xffffffff;

const ARCHITECTURES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  x64: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32'],
  arm64: ['SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM'],
};

interface Comparison {
  readonly index: number;
  readonly value: number;
  readonly valueTwo?: number;
  readonly op: 'SCMP_CMP_EQ' | 'SCMP_CMP_GT' | 'SCMP_CMP_MASKED_EQ';
}

export interface ProfileOptions {
  /** The sandbox can write a folder of the host: no file may get a set-user-id or set-group-id bit. */
  readonly refusesSetId: boolean;
}

/** Pure: the profile for this processor as JSON; undefined where none is known. */
export function seccompProfile(architecture: string, { refusesSetId }: ProfileOptions): string | undefined {
  const names = ARCHITECTURES[architecture];
  if (!names) return undefined;
  const [own, ...also] = names;
  const families = Array.from({ length: LAST_FAMILY + 1 }, (_, family) => family).filter(
    family => !FAMILIES.includes(family),
  );
  return JSON.stringify({
    defaultAction: 'SCMP_ACT_ALLOW',
    archMap: [{ architecture: own, subArchitectures: also }],
    syscalls: [
      refuse(REFUSED),
      absent(['clone3', ...(refusesSetId ? [UNSEEN_MODE_CALL] : [])]),
      ...(refusesSetId ? refuseSetId() : []),
      ...NAMESPACE_FLAGS.map(flag => refuse(['clone'], masked(0, flag, flag))),
      ...TERMINAL_TRICKS.map(trick => refuse(['ioctl'], masked(1, LOW_HALF, trick))),
      ...families.map(family => refuse(['socket'], masked(0, LOW_HALF, family))),
      refuse(['socket'], { index: 0, value: LAST_FAMILY, op: 'SCMP_CMP_GT' }),
    ],
  });
}

/**
 * The flags of clone3 stand in memory, where no filter can look; where it does not exist, libc takes clone. Apptainer knows
 * of no other error than EPERM, which libc would not understand; a call to be traced by nobody is one that does not exist.
 */
function absent(names: readonly string[]) {
  return { names, action: 'SCMP_ACT_TRACE' };
}

function refuse(names: readonly string[], ...args: readonly Comparison[]) {
  return { names, action: 'SCMP_ACT_ERRNO', ...(args.length > 0 ? { args } : {}) };
}

/** A rule has to match in all its comparisons, so each bit and each flag has its own. */
function refuseSetId() {
  return Object.entries<ModeCall>(MODE_CALLS).flatMap(([name, { mode, flags }]) =>
    SET_ID.flatMap(bit =>
      flags === undefined
        ? [refuse([name], masked(mode, bit, bit))]
        : CREATING_FLAGS.map(flag => refuse([name], masked(flags, flag, flag), masked(mode, bit, bit))),
    ),
  );
}

function masked(index: number, mask: number, value: number): Comparison {
  return { index, value: mask, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ' };
}
