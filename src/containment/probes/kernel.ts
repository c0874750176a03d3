// Can the sandbox reach settings of the kernel, or the parts of it where holes are found?
import { newId } from '../../base/ids.ts';
import { filesOf, type OpenFile, statOf } from '../host-processes.ts';
import { type Call, HERE, runCalls } from '../kernel-calls.ts';
import { judgeHeld } from '../looking.ts';
import { always, byIsolation } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Probe, unknown } from '../probe.ts';

const O_WRONLY = 1;
const PROC = 0x9fa0;
const CGROUPS = [0x27e0eb, 0x63677270];
const TIOCSTI = 0x5412;
const O_RDWR = 2;
const KEY_SPEC_SESSION_KEYRING = -3;
const BPF_MAP_CREATE = 0;
const SELF_MOUNT_FD = { result: 0 };
const BAD_FLAGS = 0xff00;

/** Something that only shows in the list of open files of the process. */
function judgeOpen(
  ground: Ground,
  calls: readonly Call[],
  isIt: (file: OpenFile) => boolean,
): Promise<Finding> {
  return judgeHeld(ground, {
    calls,
    look: async pid => {
      const file = (await filesOf(pid)).find(isIt);
      return file && `open in it: ${file.path}`;
    },
    harmless: 'what it opened is nothing of the kernel',
  });
}

/** Opened for writing, never written to. */
function openForWriting(path: string, fileSystems: readonly number[]): Probe['attempt'] {
  return ground =>
    judgeOpen(
      ground,
      [['openat', HERE, { text: path }, O_WRONLY, 0]],
      file => file.isWritable && fileSystems.includes(file.fileSystem),
    );
}

/** Wherever a hierarchy of version 1 is mounted inside. */
async function releaseAgent(ground: Ground): Promise<Finding> {
  const find =
    'for f in /sys/fs/cgroup/release_agent /sys/fs/cgroup/*/release_agent; do [[ -e $f ]] && echo "$f"; done';
  const { stdout } = await ground.place.exec(find);
  const paths = stdout.split('\n').filter(Boolean);
  if (paths.length === 0) return contained('there is none inside');
  let finding = contained('there is none inside');
  for (const path of paths) {
    finding = await openForWriting(path, CGROUPS)(ground);
    if (finding.verdict !== 'contained') return finding;
  }
  return finding;
}

/** Calls that leave nothing to look at: the kernel’s answer tells whether it would have been obeyed. */
async function judgeAnswer(
  ground: Ground,
  calls: readonly Call[],
  allowed: readonly string[] = [],
): Promise<Finding> {
  const { impossible, error } = await runCalls(ground.place, calls, { marker: newId() });
  if (impossible !== undefined) return unknown(impossible);
  if (error === undefined) return exposed('the kernel obeyed');
  return allowed.includes(error)
    ? exposed(`permitted: only the argument was wrong (${error})`)
    : contained(`refused: ${error}`);
}

function openAnonymous(calls: readonly Call[], name: RegExp): Probe['attempt'] {
  return ground => judgeOpen(ground, calls, file => name.test(file.path));
}

const words = (...values: readonly number[]): { bytes: Uint8Array } => ({
  bytes: new Uint8Array(new Uint32Array([...values, ...Array(32).fill(0)]).buffer),
});

/** A byte put into the input of the terminal that Hermes runs in; a blank, should it succeed. */
async function pushInput(ground: Ground): Promise<Finding> {
  const own = (await statOf(process.pid))?.[7] ?? 0;
  return judgeHeld(ground, {
    calls: [
      ['openat', HERE, { text: '/dev/tty' }, O_RDWR, 0],
      ['ioctl', { result: 0 }, TIOCSTI, { text: ' ' }],
    ],
    look: async pid => {
      const terminal = (await statOf(pid))?.[7] ?? 0;
      return terminal !== 0 && terminal === own ? 'a byte was put into the terminal of Hermes' : undefined;
    },
    harmless: 'its terminal is not the one of Hermes',
  });
}

interface CallSpec {
  readonly name: string;
  readonly title: string;
  readonly attempt: Probe['attempt'];
}

const OWN_HANDLE: readonly Call[] = [
  ['openat', HERE, { text: '/' }, 0, 0],
  ['name_to_handle_at', HERE, { text: '/' }, words(120), { zeros: 8 }, 0],
];

const specs: readonly CallSpec[] = [
  {
    name: 'core-pattern',
    title: 'open core_pattern for writing',
    attempt: openForWriting('/proc/sys/kernel/core_pattern', [PROC]),
  },
  {
    name: 'sysrq',
    title: 'open sysrq-trigger for writing',
    attempt: openForWriting('/proc/sysrq-trigger', [PROC]),
  },
  { name: 'release-agent', title: 'open a cgroup’s release_agent for writing', attempt: releaseAgent },
  {
    name: 'bpf',
    title: 'load bpf',
    // An array of one value.
    attempt: openAnonymous([['bpf', BPF_MAP_CREATE, words(2, 4, 4, 1), 72]], /bpf-map/),
  },
  {
    name: 'io-uring',
    title: 'set up io_uring',
    attempt: openAnonymous([['io_uring_setup', 4, { zeros: 120 }]], /io_uring/),
  },
  {
    name: 'perf',
    title: 'open performance events',
    // A software clock of the process itself, user mode only.
    attempt: openAnonymous([['perf_event_open', words(1, 112, 0), 0, -1, -1, 0]], /perf_event/),
  },
  {
    name: 'userfaultfd',
    title: 'open userfaultfd',
    attempt: openAnonymous([['userfaultfd', 1]], /userfaultfd/),
  },
  {
    name: 'keyctl',
    title: 'use the kernel’s keyrings',
    attempt: ground => judgeAnswer(ground, [['keyctl', 0, KEY_SPEC_SESSION_KEYRING, 1, 0, 0]]),
  },
  {
    name: 'kexec',
    title: 'load another kernel',
    // Flags that do not exist: permission is asked for first, and nothing can be loaded or unloaded.
    attempt: ground => judgeAnswer(ground, [['kexec_load', 0, 0, 0, BAD_FLAGS]], ['EINVAL']),
  },
  {
    name: 'module',
    title: 'load a kernel module',
    // An empty one: permission is asked for first, and nothing can be loaded.
    attempt: ground => judgeAnswer(ground, [['init_module', { zeros: 8 }, 0, { text: '' }]], ['ENOEXEC']),
  },
  {
    name: 'file-handle',
    title: 'open files by handle, past all folders',
    attempt: ground =>
      judgeAnswer(
        ground,
        [...OWN_HANDLE, ['open_by_handle_at', SELF_MOUNT_FD, words(8, 1, 2, 0), 0]],
        ['ESTALE', 'EINVAL'],
      ),
  },
];

export const kernelProbes: readonly Probe[] = [
  ...specs.map(({ name, title, attempt }) => ({
    id: `kernel.${name}`,
    family: 'kernel' as const,
    title,
    expected: byIsolation,
    attempt,
  })),
  {
    id: 'kernel.tiocsti',
    family: 'kernel',
    title: 'type into the terminal of Hermes',
    // No backend gives a command the terminal of Hermes, also not those that contain nothing.
    expected: always('contained'),
    attempt: pushInput,
  },
];
