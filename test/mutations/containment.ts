// P2 and P6: root does nothing for others by path, no set-user-id program is left on the host, and no process outlives its command.
import type { Mutation } from './mutation.ts';

const LINKS = { promise: 'P2', testFile: 'test/integration/bubblewrap/links.test.ts' } as const;
const STRAYS = {
  promise: 'P6',
  file: 'src/sandboxes/channel/shell/processes.sh',
  testFile: 'test/integration/bubblewrap/strays.test.ts',
} as const;
const ENDS = 'ends with its command, whatever tag it has invented, and also as the command itself';
const FORGED =
  'ends with its command although it has made itself the folder of a job, or carries the tag of one that has ended';

const root: readonly Mutation[] = [
  {
    ...LINKS,
    name: 'root removes by path what another user can replace',
    file: 'src/backends/as-owner.ts',
    old: '...(isSomebodyElse(owner) ? { uid, gid } : {})',
    new: '...{}',
    tests: ['removes only what that user could remove'],
  },
  {
    ...LINKS,
    name: 'another folder is mounted than the one that was checked',
    file: 'src/backends/bubblewrap/launch.sh',
    old: 'if [ "$(stat -c %d:%i -- "$2")" != "$3" ]; then',
    new: 'if false; then',
    tests: ['is nothing else than what was looked at, or nothing is started'],
  },
  {
    promise: 'P2',
    name: 'a link on the way to a mounted folder is followed',
    file: 'src/backends/link-free.ts',
    old: 'if (fstatSync(fd).isSymbolicLink()) throw hasLink(path);',
    new: '',
    testFile: 'src/backends/link-free.test.ts',
    tests: ['are told apart from those with a link at the end or on the way'],
  },
  {
    promise: 'P2',
    name: 'a sandbox is in the group whose number is that of a mount’s owner',
    file: 'src/backends/bubblewrap/host-user.ts',
    old: 'gid: hasOwnGroup ? owner.gid : nobody',
    new: 'gid: owner.uid',
    testFile: 'src/backends/bubblewrap/host-user.test.ts',
    tests: ['is not in %s'],
  },
];

const setId: readonly Mutation[] = [
  {
    promise: 'P2',
    name: 'bubblewrap lets set-user-id programs be left on the host',
    file: 'src/backends/bubblewrap/seccomp.ts',
    old: '...(refusesSetId ? refuseSetId(architecture) : []),',
    new: '',
    testFile: 'src/backends/bubblewrap/seccomp.test.ts',
    tests: ['refuses set-id bits to %s'],
  },
  {
    promise: 'P2',
    name: 'docker lets set-user-id programs be left on the host',
    file: 'src/backends/docker/seccomp.ts',
    old: '{ ...allow([name]), args: [without(mode, SET_ID_BITS)] },',
    new: 'allow([name]),',
    testFile: 'src/backends/docker/seccomp.test.ts',
    tests: ['refuses set-id bits where a folder of the host can be written, on the engine %s'],
  },
  {
    promise: 'P2',
    name: 'singularity lets set-user-id programs be left on the host',
    file: 'src/backends/singularity/seccomp.ts',
    old: '...(refusesSetId ? refuseSetId() : []),',
    new: '',
    testFile: 'src/backends/singularity/seccomp.test.ts',
    tests: ['refuses set-id bits where a folder of the host can be written, and nowhere else'],
  },
  {
    promise: 'P2',
    name: 'Apptainer works as root in a folder of somebody else’s',
    file: 'src/backends/singularity/runs-as-root.ts',
    old: 'return !CANNOT_READ.test(said);',
    new: 'return false;',
    testFile: 'test/integration/singularity/errors.test.ts',
    tests: ['refuses a program that is root in somebody else’s folder, before anything is made'],
  },
];

const strays: readonly Mutation[] = [
  {
    ...STRAYS,
    name: 'a process that has hidden in every way outlives its command',
    old: '|| hangs "$pid" "$2" "$3" "$1" || is_stray[$pid]=1',
    new: '|| true',
    tests: [ENDS, 'is listed when its command ends by itself, and goes on until somebody ends it'],
  },
  {
    ...STRAYS,
    name: 'a process is spared for a tag that it has invented',
    old: '[[ ${their_tags[$1]-} == now ]] ||',
    new: 'is_carried "$@" ||',
    tests: [FORGED],
  },
  {
    ...STRAYS,
    name: 'a process is not listed for the tag of a job that has ended',
    file: 'src/sandboxes/channel/channel.ts',
    old: 'if (claim?.isCarried &&',
    new: 'if (claim &&',
    tests: [FORGED],
  },
  {
    ...STRAYS,
    name: 'a job that is ended takes those of an earlier gateway along',
    file: 'src/sandboxes/jobs.ts',
    old: '    await this.#knowOthers();\n',
    new: '',
    tests: ['of a job that is ended does not take other jobs for its kin, nor those of an earlier gateway'],
  },
  {
    ...STRAYS,
    name: 'a job is ended with another command',
    old: 'is_known "$tag_seen" "$2" "$3" && return 0',
    new: 'false && return 0',
    tests: ['does not take jobs and the persistent shell for its kin'],
  },
  {
    ...STRAYS,
    name: 'what a command has left hidden goes on after a cancel',
    file: 'src/sandboxes/channel/channel.ts',
    old: ' || watch.interruption !== undefined;',
    new: ';',
    tests: [ENDS],
  },
];

const seen: readonly Mutation[] = [
  {
    promise: 'P2',
    name: 'sandboxes see what somebody has put beside the programs of /usr/local',
    file: 'src/backends/bubblewrap/program-folders.ts',
    old: 'isFolder(LOCAL) ? localFolders() : []',
    new: '[]',
    testFile: 'test/integration/bubblewrap/containment.test.ts',
    tests: ['are not there: configuration beside programs, also what is put there later'],
  },
  {
    promise: 'P2',
    name: 'the first process of a sandbox names folders of the host',
    file: 'src/backends/bubblewrap/command.ts',
    old: 'return { line: bwrapLine(plan), flags: bwrapFlags(plan) };',
    new: "return { line: [...bwrapFlags(plan), '--', ...plan.command], flags: [] };",
    testFile: 'test/integration/bubblewrap/containment.test.ts',
    tests: ['are not named by the command line of the first process'],
  },
  {
    promise: 'P2',
    name: 'files on their way between processes do not count as disk',
    file: 'src/backends/bubblewrap/disk-watch.ts',
    old: '(hasUnseen ? this.#unseen(bytes) : 0)',
    new: '0',
    testFile: 'test/integration/bubblewrap/limits.test.ts',
    tests: ['counts files that are deleted and on their way from one process to another'],
  },
];

export const containment: readonly Mutation[] = [...root, ...setId, ...strays, ...seen];
