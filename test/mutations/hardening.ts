// P2: what a sandbox is made of does not hand over the host: flags, filters, mounts, and words for remote shells.
import type { Mutation } from './mutation.ts';

const DOCKER = {
  promise: 'P2',
  file: 'src/backends/docker/container-body.ts',
  testFile: 'src/backends/docker/container-body.test.ts',
} as const;
const VOLUMES = {
  promise: 'P2',
  file: 'src/backends/docker/volumes.ts',
  testFile: 'src/backends/docker/volumes.test.ts',
} as const;
const BUBBLEWRAP = {
  promise: 'P2',
  file: 'src/backends/bubblewrap/arguments.ts',
  testFile: 'src/backends/bubblewrap/arguments.test.ts',
  tests: ['have %s'],
} as const;
const SECCOMP = {
  promise: 'P2',
  file: 'src/backends/bubblewrap/seccomp.ts',
  testFile: 'src/backends/bubblewrap/seccomp.test.ts',
} as const;
const SSH = {
  promise: 'P2',
  file: 'src/backends/ssh/arguments.ts',
  testFile: 'src/backends/ssh/arguments.test.ts',
} as const;

const docker: readonly Mutation[] = [
  {
    ...DOCKER,
    name: 'containers keep their capabilities',
    old: "CapDrop: ['ALL'],",
    new: 'CapDrop: [],',
    tests: ['is hardened'],
  },
  {
    ...DOCKER,
    name: 'programs in containers can gain privileges',
    old: "['no-new-privileges', ",
    new: '[',
    tests: ['is hardened'],
  },
  {
    ...DOCKER,
    name: 'containers swap beyond their memory limit',
    old: 'MemorySwap: memory,',
    new: 'MemorySwap: -1,',
    tests: ['is hardened'],
  },
  {
    ...DOCKER,
    name: 'containers have no limit of processes',
    old: 'PidsLimit: plan.processes,',
    new: 'PidsLimit: 0,',
    tests: ['is hardened'],
  },
  {
    ...DOCKER,
    name: 'containers have a network although it is closed',
    old: 'NetworkMode: plan.network,',
    new: "NetworkMode: 'bridge',",
    tests: ['is hardened'],
  },
  {
    ...DOCKER,
    name: 'containers share the IPC of the host',
    old: "IpcMode: 'private',",
    new: "IpcMode: 'host',",
    tests: ['names no namespace of the host and no other security profile'],
  },
  {
    ...DOCKER,
    name: 'a read-only mount of a container can be written',
    old: 'ReadOnly: readOnly,',
    new: 'ReadOnly: false,',
    tests: ['mounts folders so that one the engine does not have is an error'],
  },
  {
    ...VOLUMES,
    name: 'a link to a dangerous folder is mounted',
    old: 'const source = await realpath(mount.source);',
    new: 'const source = mount.source;',
    tests: ['finds the danger behind a link'],
  },
  {
    ...VOLUMES,
    name: 'the socket of an engine is mounted like any file',
    old: "found.isSocket() ? 'it is a socket' : dangerOf(source, places)",
    new: 'dangerOf(source, places)',
    tests: ['finds the danger of a socket wherever it is'],
  },
  {
    ...VOLUMES,
    name: 'the folder of the installation is mounted',
    old: '    places.hermesHome,\n',
    new: '',
    tests: ['warns of %s'],
  },
];

const bubblewrap: readonly Mutation[] = [
  {
    ...BUBBLEWRAP,
    name: 'bubblewrap sandboxes have the network of the host',
    old: ": ['--unshare-net']),",
    new: ': []),',
  },
  {
    ...BUBBLEWRAP,
    name: 'bubblewrap sandboxes keep their capabilities',
    old: "...['--cap-drop', 'ALL', '--new-session', '--die-with-parent'],",
    new: "...['--new-session', '--die-with-parent'],",
  },
  {
    ...BUBBLEWRAP,
    name: 'bubblewrap sandboxes can type into the terminal of the gateway',
    old: "'--new-session', '--die-with-parent'],\n    ...['--seccomp'",
    new: "'--die-with-parent'],\n    ...['--seccomp'",
  },
  {
    ...BUBBLEWRAP,
    name: 'bubblewrap sandboxes see the processes of the host',
    old: "'--unshare-pid', ",
    new: '',
  },
  {
    ...BUBBLEWRAP,
    name: 'bubblewrap sandboxes run without the system call filter',
    old: "'--seccomp', String(plan.fds.seccomp), ",
    new: '',
  },
  {
    ...BUBBLEWRAP,
    name: 'bubblewrap sandboxes inherit the environment of the gateway',
    promise: 'P7',
    old: "return ['--clearenv', ...variables];",
    new: 'return variables;',
  },
  {
    ...BUBBLEWRAP,
    name: 'bubblewrap sandboxes outlive a gateway that dies',
    promise: 'P6',
    old: "'--new-session', '--die-with-parent'",
    new: "'--new-session'",
  },
  {
    ...BUBBLEWRAP,
    name: 'bubblewrap sandboxes can write to the system of the host',
    old: "['--ro-bind', entry.source, entry.path]",
    new: "['--bind', entry.source, entry.path]",
    tests: ['make nothing of the host writable but the sandbox’s own folder'],
  },
  {
    ...BUBBLEWRAP,
    name: 'a link to a dangerous folder is mounted into a bubblewrap sandbox',
    file: 'src/backends/bubblewrap/mounts.ts',
    old: 'return await realpath(mount.source);',
    new: 'return mount.source;',
    testFile: 'src/backends/bubblewrap/mounts.test.ts',
    tests: ['are refused when a link leads to such a place'],
  },
  {
    ...SECCOMP,
    name: 'the filter lets clone make namespaces',
    old: '    ...when(EQUAL, JUDGED.clone[architecture], refuseBits(0, NAMESPACES)),\n',
    new: '',
    tests: ['lets clone make threads and processes, but no namespaces'],
  },
  {
    ...SECCOMP,
    name: 'the filter is passed by calls of the x32 variant',
    old: "architecture === 'x64' ? when(AT_LEAST, X32, [{ code: RETURN, value: KILL }]) : []",
    new: '[]',
    tests: ['kills calls of the x32 variant'],
  },
  {
    ...SECCOMP,
    name: 'the filter allows sockets that no network namespace contains',
    old: '[1, 2, 10, 16]',
    new: '[1, 2, 10, 16, 40]',
    tests: ['allows sockets that a network namespace contains, and no others'],
  },
];

const ssh: readonly Mutation[] = [
  {
    ...SSH,
    name: 'ssh accepts any host key',
    old: 'StrictHostKeyChecking: strict,',
    new: "StrictHostKeyChecking: 'no',",
    tests: ['forwards nothing and asks nobody'],
  },
  {
    ...SSH,
    name: 'ssh lends the keys of the operator to the machine',
    old: "ForwardAgent: 'no',",
    new: "ForwardAgent: 'yes',",
    tests: ['forwards nothing and asks nobody'],
  },
  {
    ...SSH,
    name: 'a host name that looks like an option of ssh is one',
    old: "...flags(options), ...targetArguments(target), '--', target.host]",
    new: '...flags(options), ...targetArguments(target), target.host]',
    tests: ['keeps a host that looks like an option from being one'],
  },
  {
    ...SSH,
    name: 'the id of a sandbox on ssh can lead out of its folder',
    file: 'src/backends/ssh/label.ts',
    old: 'return SAFE.test(id) && name ===',
    new: 'return name ===',
    testFile: 'src/backends/ssh/label.test.ts',
    tests: ['refuses the id %j, which would stand in a path'],
  },
  {
    ...SSH,
    name: 'a backslash breaks out of the quotes of a remote shell',
    file: 'src/backends/ssh/remote-command.ts',
    old: "/['\\\\]/g",
    new: "/[']/g",
    testFile: 'src/backends/ssh/remote-command.test.ts',
    tests: ['keeps backslashes and quotes outside of quotes, where fish gives them a meaning'],
  },
  {
    promise: 'P2',
    name: 'a quote in a word ends the word for the shell',
    file: 'src/base/shell-quote.ts',
    old: "word.replaceAll(\"'\", `'\\\\''`)",
    new: 'word',
    testFile: 'src/base/text.test.ts',
    tests: ['%j becomes %s'],
  },
  {
    promise: 'P2',
    name: 'a variable in a word is expanded by the shell',
    file: 'src/base/shell-quote.ts',
    old: 'A-Za-z0-9_@%+=:,./-]+$/',
    new: 'A-Za-z0-9_@%+=:,./$-]+$/',
    testFile: 'src/base/text.test.ts',
    tests: ['%j becomes %s'],
  },
];

export const hardening: readonly Mutation[] = [...docker, ...bubblewrap, ...ssh];
