// Requirements about what outlives a command: the persistent shell, files, the environment, the sandbox itself, and
// the driver's own contract under all of it.
import type { RequirementGroup } from '../requirement.ts';

export const spawn = {
  'spawn.exit': {
    modes: 'any',
    promises: ['P9'],
    text: 'tells the exit code of a process that the driver starts',
  },
  'spawn.signal': {
    modes: 'any',
    promises: ['P9'],
    text: 'tells the signal of a process that the driver starts',
  },
  'spawn.apart': { modes: 'any', text: 'delivers stdout and stderr apart' },
  'spawn.streams': { modes: 'any', text: 'delivers output while the process runs' },
  'spawn.eof': { modes: 'any', text: 'ends the input of a process' },
  'spawn.bytes': { modes: 'any', text: 'carries 10 MB of raw bytes in and out' },
  'spawn.arguments': { modes: 'any', text: 'hands arguments over as they are' },
  'spawn.kill': { modes: 'any', promises: ['P6'], text: 'ends a process on kill' },
  'spawn.no-program': {
    modes: 'any',
    text: 'throws SANDBOX_PROGRAM_MISSING for a program that does not exist',
  },
  'spawn.gone': { modes: 'any', promises: ['P9'], text: 'throws SANDBOX_GONE when the sandbox is gone' },
  'spawn.start': {
    modes: 'any',
    text: 'starts processes in the workdir, where they can write and find programs',
  },
} as const satisfies RequirementGroup;

export const persistent = {
  'persistent.cwd': { modes: 'persistent', text: 'keeps the working directory' },
  'persistent.variables': { modes: 'persistent', text: 'keeps variables and arrays, whatever is in them' },
  'persistent.exports': { modes: 'persistent', text: 'keeps exports' },
  'persistent.functions': { modes: 'persistent', text: 'keeps functions' },
  'persistent.aliases': { modes: 'persistent', text: 'keeps aliases' },
  'persistent.options': { modes: 'persistent', text: 'keeps options and the umask' },
  'persistent.apart': { modes: 'persistent', text: 'shares no state with one-shot commands' },
  'persistent.restored': {
    modes: 'persistent',
    promises: ['P9'],
    text: 'restores all of it in a new shell, and says so',
  },
  'persistent.unfinished': {
    modes: 'persistent',
    promises: ['P10'],
    text: 'has the state of the last finished command after a time-out, and re-runs nothing',
  },
  'persistent.exit': {
    modes: 'persistent',
    promises: ['P9', 'P10'],
    text: 'survives exit 3, with its real code and output',
  },
  'persistent.exec': { modes: 'persistent', promises: ['P9', 'P10'], text: 'survives exec true' },
  'persistent.exec-output': { modes: 'persistent', text: 'survives exec >file' },
  'persistent.exec-input': { modes: 'persistent', text: 'survives exec <&-' },
  'persistent.errexit': { modes: 'persistent', promises: ['P9'], text: 'survives set -eu, and what it ends' },
  'persistent.noexec': { modes: 'persistent', text: 'survives set -n' },
  'persistent.xtrace': {
    modes: 'persistent',
    text: 'survives set -x and set -v, and shows none of its own steps',
  },
  'persistent.ifs': { modes: 'persistent', text: 'survives any IFS' },
  'persistent.path': { modes: 'persistent', text: 'survives an empty PATH' },
  'persistent.debug-trap': { modes: 'persistent', text: 'survives a DEBUG trap' },
  'persistent.exit-trap': { modes: 'persistent', promises: ['P9'], text: 'survives an EXIT trap' },
  'persistent.shadowed': { modes: 'persistent', text: 'survives functions named like builtins' },
  'persistent.disabled': { modes: 'persistent', text: 'survives enable -n echo' },
  'persistent.disabled-own': {
    modes: 'persistent',
    text: 'survives the disabling of builtins that the channel itself needs',
  },
  'persistent.limited': { modes: 'persistent', text: 'survives ulimit -f, with the right result' },
  'persistent.posix': { modes: 'persistent', text: 'survives POSIX mode' },
  'persistent.quote': { modes: 'persistent', text: 'survives an unterminated quote' },
  'persistent.spinning': {
    modes: 'persistent',
    promises: ['P6'],
    text: 'survives an endless loop that times out',
  },
  'persistent.killed': { modes: 'persistent', promises: ['P9', 'P10'], text: 'survives kill -9 $$' },
  'persistent.loops': {
    modes: 'persistent',
    text: 'survives break, continue and return outside of loops and functions',
  },
  'persistent.readonly': { modes: 'persistent', text: 'survives read-only variables' },
  'persistent.folder': { modes: 'persistent', text: 'survives the removal of its working directory' },
  'persistent.stdin': { modes: 'persistent', text: 'runs a command with input apart, with cwd and exports' },
  'persistent.sudo': { modes: 'persistent', text: 'runs a command with sudo apart, with cwd and exports' },
} as const satisfies RequirementGroup;

export const files = {
  'files.binary': { modes: 'any', promises: ['P9'], text: 'writes and reads 10 MB of raw bytes' },
  'files.replaced': { modes: 'any', text: 'replaces a file and keeps its mode; makes missing folders' },
  'files.missing': { modes: 'any', text: 'rejects what is missing with SANDBOX_FILE_MISSING' },
  'files.folder': { modes: 'any', text: 'rejects a folder where a file is needed, and the reverse' },
  'files.special': { modes: 'any', text: 'rejects pipes and devices instead of hanging' },
  'files.permission': { modes: 'any', text: 'rejects what may not be read or written' },
  'files.traversal': { modes: 'any', text: 'resolves ../ within the sandbox’s own root' },
  'files.names': { modes: 'any', text: 'takes names with newlines, quotes, dashes, spaces and any Unicode' },
  'files.list': { modes: 'any', text: 'lists a folder: files, folders, links, hidden ones' },
  'files.stat': { modes: 'any', text: 'tells type, size, mode and time of a file' },
  'files.copies': { modes: 'any', text: 'uploads and downloads files as bytes' },
} as const satisfies RequirementGroup;

export const env = {
  'env.spec': { modes: 'both', text: 'shows commands the values of the spec' },
  'env.planted': {
    modes: 'both',
    promises: ['P7'],
    text: 'shows commands no secret of the gateway’s environment',
  },
  'env.arguments': { modes: 'both', promises: ['P7'], text: 'has no value of the spec in any argument list' },
} as const satisfies RequirementGroup;

export const life = {
  'life.capabilities': { modes: 'any', text: 'has the optional methods exactly as its capabilities say' },
  'life.check': { modes: 'any', text: 'says that nothing stands in the way' },
  'life.ref': { modes: 'any', text: 'has a ref of plain JSON with its id, name and installation' },
  'life.no-bash': { modes: 'any', text: 'says clearly that there is no bash, and leaves nothing' },
  'life.private': { modes: 'any', promises: ['P11'], text: 'keeps the channel’s folder from other users' },
  'life.destroy': {
    modes: 'both',
    promises: ['P6'],
    text: 'ends everything that commands left behind on destroy',
  },
  'life.destroy-running': {
    modes: 'both',
    promises: ['P6', 'P9'],
    text: 'tells a running command sandbox-lost on destroy, and leaves no process',
  },
  'life.destroy-hidden': {
    modes: 'any',
    needs: 'ownProcesses',
    promises: ['P6'],
    text: 'ends on destroy also what has left group, session, parent and environment',
  },
  'life.destroy-twice': { modes: 'any', text: 'can be destroyed twice, and at the same time' },
  'life.destroyed': { modes: 'both', promises: ['P9'], text: 'refuses commands after destroy' },
  'life.dispose': { modes: 'any', text: 'destroys itself at the end of a scope' },
  'life.attach': { modes: 'any', text: 'finds its files after a restart' },
  'life.attach-commands': { modes: 'both', text: 'serves commands after a restart' },
  'life.attach-processes': {
    modes: 'any',
    needs: 'survivesGateway',
    text: 'finds background processes after a restart',
  },
  'life.attach-gone': {
    modes: 'any',
    promises: ['P9'],
    text: 'rejects attaching to a gone sandbox with SANDBOX_GONE',
  },
  'life.outside': {
    modes: 'both',
    promises: ['P9', 'P10'],
    text: 'never tells exit 0 with nothing after it was removed from outside',
  },
  'life.list': { modes: 'any', text: 'lists the sandboxes of an installation and no others' },
} as const satisfies RequirementGroup;
