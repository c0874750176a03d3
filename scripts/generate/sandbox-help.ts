// What to do about errors of sandboxes and their backends.
import type { HelpGroup } from './help-group.ts';

export const sandboxHelp: HelpGroup = {
  title: 'Sandboxes',
  codes: {
    UNAVAILABLE_BACKEND: {
      seen: 'The gateway does not start, or a chat answers that it has no sandbox to work in.',
      because:
        'The backend that the settings name does not work: engine not running, program or SDK not installed, user namespaces forbidden, key refused, host not reachable. Nothing runs elsewhere instead.',
      fixes: [
        '`hermes doctor` makes a real sandbox and says what is missing; `hermes doctor --all` tries every backend.',
        'The page of the [backend](backends/README.md) has a table of its messages.',
        'Another backend: `hermes setup --yes --backend NAME` tries it before it is saved.',
      ],
    },
    SANDBOX_NOT_CREATED: {
      seen: 'The first command of a chat, or `hermes run`, fails; the message names the phase.',
      because:
        'The engine answers and could not make this sandbox: an image that does not exist, a mount that is refused, a full disk, a quota.',
      fixes: [
        'Do what the message says; it names the setting. Nothing is left of the attempt.',
        '`hermes sandbox explain` shows image, mounts and limits, and which setting decided each.',
      ],
    },
    SANDBOX_NO_BASH: {
      seen: 'A sandbox is made, and no command runs in it.',
      because: 'Its image has no bash 4.4, or lacks `mkdir`, `mkfifo` or `cat`. Alpine images have no bash.',
      fixes: [
        'Choose an image with bash, such as `debian:12`: `hermes config set terminal.docker_image debian:12`.',
      ],
    },
    SANDBOX_GONE: {
      seen: 'A command ends with it, or the chat says that the sandbox was reset.',
      because:
        'Somebody removed it, the engine was restarted without it, its time was over in the cloud, or its disk limit ended its processes.',
      fixes: [
        'The next message gets a new one, with an empty workspace.',
        '`hermes sandbox logs ID` and `hermes gateway logs` show who ended it.',
      ],
    },
    SANDBOX_IN_USE: {
      seen: '`hermes sandbox suspend`, `destroy` or a command of the chat is refused.',
      because: 'A run, or another command of yours, holds it; the message names which, and since when.',
      fixes: ['Wait, or end what runs: `/stop` in its chat. `hermes sandbox inspect ID` shows it.'],
    },
    SANDBOX_SUSPENDED: {
      seen: '`hermes sandbox files`, `get`, `put` or `logs` is refused.',
      because: 'It is asleep, and you did not say that it may be woken.',
      fixes: ['Add `--wake`; it is suspended again afterwards.'],
    },
    SANDBOX_STILL_THERE: {
      seen: '`hermes session delete` is refused.',
      because: 'The session has a sandbox with files.',
      fixes: [
        'Take out what you need (`hermes sandbox get`), then `hermes sandbox destroy ID`, then delete the session.',
      ],
    },
    SANDBOX_SPAWN_FAILED: {
      seen: 'A command does not start in a sandbox that lives.',
      because:
        'Its limit of processes (256) is used up, most often by something that forks without end, or its memory is.',
      fixes: [
        'End what runs there: ask the agent, or use the page’s list of processes.',
        '`hermes sandbox destroy ID` ends all of it, files included; the next message makes a new one.',
      ],
    },
    SANDBOX_PROGRAM_MISSING: {
      seen: 'A command says that a program is not there.',
      because: 'The image does not have it. Sandboxes have what their image has, not what this machine has.',
      fixes: ['Choose an image that has it, or install it in the sandbox, which needs a network.'],
    },
    SANDBOX_CWD_MISSING: {
      seen: 'A command was not run; the folder is named.',
      because: 'The folder was removed, or `terminal.cwd` names one that is not there.',
      fixes: ['Give another folder, or `hermes config unset terminal.cwd`.'],
    },
    SANDBOX_FILE_MISSING: {
      seen: '`/get`, `hermes sandbox get` or a tool finds no such file.',
      because:
        'The path is wrong, or relative to another folder than you think: paths begin in `/workspace`.',
      fixes: ['`hermes sandbox files ID [PATH]` lists what is there.'],
    },
    SANDBOX_FILE_REFUSED: {
      seen: 'A file of a sandbox cannot be read or written.',
      because:
        'It belongs to another user inside, is a folder, is too large, or the disk of the sandbox is full.',
      fixes: ['Look at it from inside: `!ls -l PATH` and `!df -h .` in the chat, as an owner.'],
    },
    SANDBOX_PROCESS_UNKNOWN: {
      seen: 'The agent, or you, ask about a background process that is not there.',
      because: 'It has ended long ago, or the sandbox was made anew.',
      fixes: ['`hermes sandbox inspect ID` lists those that run.'],
    },
    USAGE_HOST_FILE: {
      seen: '`hermes sandbox get` or `put` fails on the side of this machine.',
      because: 'The file is not there, may not be read, or the target exists already.',
      fixes: ['Correct the path; `--force` replaces an existing target.'],
    },
  },
};
