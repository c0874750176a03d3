// What to do about each error code, by where it comes from: what is seen, why, and what mends it.
// docs/troubleshooting.md is made of it; a test sees to it that every code is here once.
import type { HelpGroup } from './help-group.ts';
import { sandboxHelp } from './sandbox-help.ts';

const settings: HelpGroup = {
  title: 'Settings',
  codes: {
    CONFIG_INVALID: {
      seen: 'Nothing starts; a list of settings, each with its file and line, what it has and what is accepted.',
      because:
        'A name is unknown, a value is not accepted, two settings exclude each other, or a port is taken. Every source is judged, also one that a stronger one hides.',
      fixes: [
        '`hermes config check` lists all of it without starting anything, and decides about backend, image and ports as the start does. Correct the lines that it names, or take one back: `hermes config unset KEY`.',
        '`hermes config show --origin` says where each value comes from: a variable of your shell wins over `config.yaml`.',
        'A port that is taken: `hermes config set gateway.http_port 9001`, `hermes config set web.port 9000`; 0 takes any free one.',
      ],
    },
    CONFIG_UNREADABLE: {
      seen: 'Nothing starts; `config.yaml` or `.env` is named, with why it cannot be read.',
      because:
        'It belongs to another user (often after a command with sudo), is a folder or a pipe, is larger than 1 MiB, or is no UTF-8 text. Or neither `HOME` nor `HERMES_HOME` is set.',
      fixes: [
        '`hermes doctor --fix` sets owners’ rights where it may. What belongs to somebody else: `sudo chown -R $USER ~/.hermes`.',
        'What is no settings file: move it away.',
      ],
    },
    CONFIG_NOT_SAVED: {
      seen: '`hermes config set`, `setup` or `gateway install` says that a file was not changed.',
      because: 'The folder cannot be written, the disk is full, or a unit of systemd there is not ours.',
      fixes: [
        'Make room, or see to the rights of the folder that it names. The old file is whole.',
        'A unit that Hermes has not written: move it away, or put your changes into `systemctl edit`.',
      ],
    },
    CONFIG_MODEL_UNKNOWN: {
      seen: 'Chats answer that the model does not exist on its server.',
      because: '`model.name` is written otherwise there, was taken off, or the key may not use it.',
      fixes: [
        '`hermes model list` shows what the server has; `hermes model set NAME` chooses one, and `hermes model test` tries it.',
      ],
    },
  },
};

const models: HelpGroup = {
  title: 'Model',
  codes: {
    AUTH_MODEL_KEY: {
      seen: 'Chats answer that the model refuses the key.',
      because: 'The key is missing, wrong, expired, or of another server than `model.base_url`.',
      fixes: [
        '`hermes config set OPENAI_API_KEY -` (or the variable that the message names), paste it, Enter, Ctrl-D.',
        '`hermes model test`, then `hermes gateway restart`.',
      ],
    },
    UNAVAILABLE_MODEL: {
      seen: 'Chats answer that the model cannot be reached.',
      because: 'The address is wrong, the server is down, a proxy is between, or its answer breaks off.',
      fixes: [
        '`hermes model test` shows the address and the reason.',
        'For servers of your own `model.base_url` most often ends with `/v1`. Slow ones need a larger `model.timeout`.',
      ],
    },
    UNAVAILABLE_MODEL_BUSY: {
      seen: 'Chats answer that the model is overloaded or limits us.',
      because: 'Its server limits requests or tokens, is overloaded, or wants to be paid.',
      fixes: ['Wait; it was tried six times. Look at limits and balance of the account there.'],
    },
    USAGE_CONTEXT_FULL: {
      seen: 'A chat says that the conversation has become too long.',
      because:
        'It does not fit into the context of the model, even shortened. Often one file or output is too large.',
      fixes: ['`/new` starts afresh, with a new sandbox. A model with a larger context helps.'],
    },
  },
};

const platforms: HelpGroup = {
  title: 'Platforms and people',
  codes: {
    AUTH_PLATFORM_TOKEN: {
      seen: 'The gateway ends with exit code 77, or a platform is shown as refused.',
      because: 'The token was mistyped, revoked, or is one of another bot or another kind.',
      fixes: [
        'Set it again as the page of the [platform](platforms/README.md) says, then `hermes gateway restart`.',
        '`hermes doctor` asks each platform who the bot is.',
      ],
    },
    UNAVAILABLE_PLATFORM: {
      seen: 'A platform is shown as not connected; answers come late.',
      because: 'The network, a firewall, or the platform itself. It also limits how much a bot may send.',
      fixes: [
        'Nothing, for some minutes: it is tried again, and nothing is lost meanwhile.',
        'If it stays: `hermes doctor`, and whether this machine reaches the internet at all.',
      ],
    },
    USAGE_NOT_DELIVERED: {
      seen: 'Owners get a notice that a message was not delivered. `hermes status` counts such messages, `hermes audit list` shows them.',
      because:
        'The chat is gone, the person has blocked the bot, or the file is too large for the platform. WhatsApp also delivers nothing to people who have not written for [24 hours](platforms/whatsapp.md#the-window-of-24-hours).',
      fixes: ['The notice has the reason. Large files: `hermes sandbox get`.'],
    },
    DENIED_PERSON: {
      seen: 'A command of the chat, a `!` command, or a page answers that only owners may do that.',
      because: 'Whoever asks has the role of a user, or a pairing code was wrong.',
      fixes: [
        'An owner can give the role: `hermes people role PLATFORM:ID owner`. `hermes people list` shows all.',
      ],
    },
    DENIED_ACTION: {
      seen: '`/get`, `/files`, a line or a file on the page answers "Not done", with the reason.',
      because:
        'What people do in a sandbox is judged like what the agent does there. It could have hurt something outside, and an owner said no or nobody answered in time; or it is a file of the installation itself, which no tool gives away.',
      fixes: [
        'An owner can answer the next question with yes. The installation’s own files are on its machine.',
      ],
    },
  },
};

const gateway: HelpGroup = {
  title: 'Gateway, state and backups',
  codes: {
    UNAVAILABLE_GATEWAY: {
      seen: '`hermes gateway start` says that a gateway serves this home already.',
      because: 'It runs, perhaps as a service. One home has one gateway.',
      fixes: [
        '`hermes gateway status` shows it, `hermes gateway restart` takes new settings. For a second one set another `HERMES_HOME`.',
      ],
    },
    UNAVAILABLE_NOT_RUNNING: {
      seen: 'A command that needs the running gateway finds none.',
      because: 'It is not started, has ended, or serves another home: another user, another `HERMES_HOME`.',
      fixes: [
        '`hermes gateway start --detach`, or `npm start` in a clone.',
        'If it had run: `hermes gateway logs` shows how it ended.',
      ],
    },
    UNAVAILABLE_NO_ANSWER: {
      seen: 'The gateway runs and does not answer, or did not become ready in time.',
      because: 'The machine is overloaded, a first image is still being fetched, or something in it hangs.',
      fixes: ['Try again in a minute. Then `hermes gateway logs`, and `hermes gateway restart`.'],
    },
    UNAVAILABLE_LOCK: {
      seen: 'A command waits and gives up; the message names the file.',
      because:
        'Another process of Hermes writes the same file for longer than 10 s, or died with its lock on a network disk.',
      fixes: ['Wait and repeat. Remove the lock file only when nothing of Hermes runs.'],
    },
    UNAVAILABLE_STORE: {
      seen: 'Nothing starts; the message says that the state cannot be used.',
      because:
        '`state.db` is damaged, belongs to another user, or was changed by a newer Hermes. It was left as it is.',
      fixes: [
        'Made by a newer Hermes: start that version, or [go back](operations/upgrade.md#go-back).',
        'Damaged: `hermes backup list`, then `hermes backup restore FILE`.',
        'Rights: `sudo chown -R $USER ~/.hermes`, then `hermes doctor --fix`.',
      ],
    },
    UNAVAILABLE_STORE_DISK: {
      seen: 'Chats answer that nothing can be written down; commands fail with it.',
      because: 'The disk of the home is full, has no more files to give, or reports errors.',
      fixes: [
        '`df -h ~/.hermes` and `df -i ~/.hermes`; make room: `hermes sandbox prune`, old backups, `docker system prune`.',
        'Errors of the disk stand in the log of the kernel (`dmesg`). Copy the newest backup elsewhere first.',
      ],
    },
    UNAVAILABLE_BACKUP: {
      seen: 'A backup was not made; after an update nothing starts for that reason.',
      because: 'No room, or no right to write into `backups` of the home.',
      fixes: ['Make room and start again. Nothing was changed, so the older version still works.'],
    },
    USAGE_BACKUP_UNUSABLE: {
      seen: '`hermes backup verify` or `restore` refuses a file.',
      because: 'It is cut off, changed, no backup, or made by a newer Hermes.',
      fixes: ['`hermes backup list` shows the others; `hermes backup verify FILE` before you rely on one.'],
    },
    USAGE_NO_STATE: {
      seen: '`hermes backup create` or a list says that there is nothing yet.',
      because: 'No gateway and no chat ever ran in this home, or it is another home than you think.',
      fixes: ['`hermes config path` prints the home. `HERMES_HOME` names another one.'],
    },
  },
};

const commandLine: HelpGroup = {
  title: 'Command line',
  codes: {
    USAGE_UNKNOWN_COMMAND: {
      seen: 'A command is not known; the nearest one is proposed.',
      because:
        'It is misspelt, or belongs to another version. A running gateway may be older than the command line.',
      fixes: ['`hermes --help` lists all. After an update: `hermes gateway restart`.'],
    },
    USAGE_BAD_ARGUMENTS: {
      seen: 'A flag or an argument is not accepted.',
      because:
        'It is misspelt, lacks its value, or the shell has taken it apart: quote commands, and put `--` before them.',
      fixes: ['Add `--help` to the command; it has examples.'],
    },
    USAGE_UNKNOWN_ID: {
      seen: 'An id leads to nothing, or to several things.',
      because: 'It is of another home, was removed, or too few characters were given.',
      fixes: ['`hermes sandbox list --all` or `hermes session list` shows them; give more characters.'],
    },
    BUG_UNEXPECTED: {
      seen: '`Unexpected failure`, with a stack in the terminal.',
      because: 'A mistake in Hermes.',
      fixes: [
        'Please report it: the message, the stack, `hermes --version`, and the lines of `hermes gateway logs` around it. Secrets are hidden in them; names of yours are not.',
        'If it is a way out of a sandbox, [report it in private](../SECURITY.md#reporting).',
      ],
    },
  },
};

export const errorHelp: readonly HelpGroup[] = [
  settings,
  sandboxHelp,
  models,
  platforms,
  gateway,
  commandLine,
];
