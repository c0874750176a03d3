// What docs/migration.md says besides keys and variables: commands, commands of a chat, defaults, messages and files of the
// original. The keys and variables stand in src/config/original.
import type { Fate } from '../../src/config/original/fact.ts';

export interface OriginalThing {
  readonly name: string;
  readonly fate: Fate;
  readonly why: string;
}

const thing =
  (fate: Fate) =>
  (name: string, why: string): OriginalThing => ({ name, fate, why });
const [same, translated, different, foreign] = [
  thing('same'),
  thing('translated'),
  thing('different'),
  thing('foreign'),
];

/** Without the leading program name. */
export const commands: readonly OriginalThing[] = [
  same('chat', '`hermes chat`; `-q` asks one question, `-c` continues.'),
  same('setup', '`hermes setup`.'),
  same('status', '`hermes status`.'),
  same('doctor', '`hermes doctor`.'),
  same('model', '`hermes model set`, `hermes model list`, `hermes model test`.'),
  same('gateway start, stop, restart, status, install', '`hermes gateway start` and its like.'),
  translated(
    'gateway run, gateway',
    '`hermes gateway start` stays in the foreground; add `--detach` to leave it.',
  ),
  same('pairing list, approve, revoke, clear-pending', '`hermes pairing list` and its like.'),
  same('config set, config show, config path', 'Also `hermes config check` and `hermes config unset`.'),
  translated('config edit', 'Open the file that `hermes config path` names.'),
  translated('config migrate', '`hermes migrate check` and `hermes migrate apply`.'),
  translated('logs', '`hermes gateway logs`.'),
  translated('backup, import', '`hermes backup create`, `hermes backup restore`.'),
  translated('sessions', '`hermes session list`, `hermes session show`, `hermes session delete`.'),
  translated('approvals', '`hermes approvals list`, `hermes approvals allowed`.'),
  translated('whatsapp, whatsapp-cloud', '`hermes setup`: the Business Platform only.'),
  different('dashboard', 'The page is served by the gateway: `hermes gateway login`.'),
  different('auth, login, logout', 'Keys stand in `.env`; there are no sign-ins by browser.'),
  different('update, uninstall', 'With the package manager that installed it.'),
  different('--yolo', 'Set `approvals.mode`: `off`.'),
  different('--profile', 'A folder for each: set `HERMES_HOME`.'),
  foreign(
    'cron, kanban, skills, bundles, curator, memory, journey, plugins, hooks, mcp, acp, webhook, proxy, egress, moa, fallback, tools, toolsets, lsp, voice, pets, desktop, computer-use, insights, claw, profile, project, peer, send, secrets, portal, checkpoints, import-agent, debug, dump',
    'Belong to parts that are not here.',
  ),
];

export const chatCommands: readonly OriginalThing[] = [
  same('/new', 'A new conversation with an empty sandbox.'),
  translated('/reset', '`/new`.'),
  same('/usage', ''),
  same('/stop', 'Ends the current task.'),
  same('/status', 'Also says where commands run and how far limits hold.'),
  same('/approve, /deny', 'By owners; with a number where several wait.'),
  same('/help', ''),
  different('/restart, /update', 'On the machine: `hermes gateway restart`.'),
  different('/model, /reasoning, /fast', 'The model is a setting: `hermes model set`.'),
  different('/yolo', 'Set `approvals.mode`.'),
  different('/queue, /steer', 'Set `gateway.busy`.'),
  foreign(
    '/retry, /undo, /title, /resume, /sessions, /compress, /rollback, /background, /bg, /btw, /goal, /loop, /personality, /voice, /sethome, /insights, /reload-mcp, /skills, /memory, /cron, /kanban, /topic, /branch, /verbose, /footer, /whoami, /commands',
    'Belong to parts that are not here.',
  ),
];

export const defaults: readonly OriginalThing[] = [
  different(
    'backend: `local`',
    '`auto` for chats: the first isolated backend that works, never `local`. The command line keeps `local`.',
  ),
  different('network of sandboxes: open', 'Chats have none; set `gateway.sandbox_network`: `open`.'),
  same(
    'image: `nikolaik/python-nodejs:python3.11-nodejs20`',
    'Newer versions of the original have another one.',
  ),
  same('1 core, 5120 MB of memory, 51200 MB of disk, files kept', 'For chats and the command line.'),
  same('time limit of a command: 180 s', ''),
  same('idle time of sessions of the command line: 300 s', 'Chats: 3600 s.'),
  same(
    'execute_code: 300 s, 50 calls, 50 KB and 10 KB of output',
    'It runs in the sandbox, never on the host.',
  ),
  same('90 model calls for one message', 'Newer versions of the original have no limit.'),
  same('reset of conversations: daily at 4 and after 1440 minutes', ''),
  same('strangers: denied, with a pairing code', 'Never in a group.'),
  same(
    'pairing code: 8 characters, one hour, one request in ten minutes, three waiting; five wrong answers lock for an hour',
    '',
  ),
  same(
    'hardening of containers: no capabilities, no new privileges, 256 processes, `/tmp` 512 MB, `/var/tmp` 256 MB, `/run` 64 MB',
    '',
  ),
  same('background processes: the last 200 KB of output', ''),
  same('output to the model: 50,000 characters, 40 % of the beginning and 60 % of the end', ''),
  different(
    'in a container commands are not checked',
    'They are asked about where they could harm something outside the sandbox.',
  ),
  same('Daytona: at most 10 GiB of disk', ''),
  different(
    'Modal: snapshots are listed in `modal_snapshots.json`',
    'They are kept in the state; that file is left alone.',
  ),
  different('Discord: threads are opened for mentions', 'Set `discord.thread_per_conversation`.'),
  different('WhatsApp messages: 65536 characters', '4096, which is what the Business Platform takes.'),
];

export const messages: readonly OriginalThing[] = [
  same(
    'the warning in four lines when the gateway runs on `local`',
    'The same words; a note beside it says where the page is on this machine.',
  ),
  different(
    'the answer to a stranger',
    'It says that the bot is private and shows a code; the owner gets a card.',
  ),
  different('the question before a dangerous command', 'It shows the whole command and goes to the owners.'),
  different(
    '“Command timed out”',
    'The result says that the limit was reached, and that the processes were ended.',
  ),
];

export const files: readonly OriginalThing[] = [
  translated('config.yaml, .env', 'Read as they are; `hermes migrate apply` rewrites what is translated.'),
  different('state.db', 'Left alone. While it is there the state of this program is `gateway-state.db`.'),
  different(
    'gateway.lock, logs/gateway.log',
    'Left alone. While they are there, `hermes-gateway.lock` and `logs/hermes-gateway.log` are used.',
  ),
  different('pairing', 'People are asked about again: `hermes people allow`.'),
  different('gateway.json', 'Not read. Set tokens as variables.'),
  different('profiles', 'Not read. A folder for each: set `HERMES_HOME`.'),
  foreign(
    'skills, memories, SOUL.md, cron, sessions, checkpoints, sandboxes, hooks, plugins, auth.json, modal_snapshots.json',
    'Left alone.',
  ),
];
