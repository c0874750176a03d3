// The settings that hold for every backend. What concerns one backend alone is declared in its folder.
import {
  choice,
  decimal,
  flag,
  integer,
  listOf,
  matching,
  orUnlimited,
  text,
  variableName,
} from '../base/kinds.ts';
import { smaller } from '../base/safer.ts';
import { defineSection, optional, setting } from '../base/setting.ts';
import { backendNames } from './index.generated.ts';
import { moreIsolated } from './isolation.ts';

/** What can be written for a backend; `auto` takes the first isolated one that works here. */
export const backendChoice = choice(['auto', ...backendNames]);

export const section = defineSection({
  title: 'Terminal',
  doc: 'Where and how commands run. The gateway’s own settings override the backend for messaging sessions.',
  settings: {
    'terminal.backend': optional(backendChoice, {
      env: 'TERMINAL_ENV',
      safer: moreIsolated,
      unset: '`auto` for the gateway, `local` for the CLI',
      doc: 'Backend for commands.',
    }),
    'terminal.cwd': optional(text('a folder'), {
      env: 'TERMINAL_CWD',
      unset: 'local: where Hermes was started; ssh: the home folder; others: `/workspace`',
      doc: 'Folder in which commands start.',
    }),
    'terminal.timeout': setting(integer(1, 86_400, 'seconds'), {
      default: 180,
      env: 'TERMINAL_TIMEOUT',
      doc: 'How long a command may run.',
    }),
    'terminal.max_timeout': setting(integer(1, 604_800, 'seconds'), {
      default: 3600,
      doc: 'The longest time limit that the agent may give a command or a wait.',
    }),
    'terminal.lifetime_seconds': setting(integer(1, 31_536_000, 'seconds'), {
      default: 300,
      env: 'TERMINAL_LIFETIME_SECONDS',
      doc: 'How long the sandbox of a CLI session may be idle.',
    }),
    'terminal.container_cpu': setting(orUnlimited(decimal(0.01, 1024, 'cores')), {
      default: 1,
      env: 'TERMINAL_CONTAINER_CPU',
      safer: smaller,
      doc: 'Processor limit of a sandbox.',
    }),
    'terminal.container_memory': setting(orUnlimited(integer(16, 16_777_216, 'MB')), {
      default: 5120,
      env: 'TERMINAL_CONTAINER_MEMORY',
      safer: smaller,
      doc: 'Memory limit of a sandbox.',
    }),
    'terminal.container_disk': setting(orUnlimited(integer(16, 1_073_741_824, 'MB')), {
      default: 51_200,
      env: 'TERMINAL_CONTAINER_DISK',
      safer: smaller,
      doc: 'Disk limit of a sandbox, where the backend can enforce one.',
    }),
    'terminal.container_persistent': setting(flag(), {
      default: true,
      env: 'TERMINAL_CONTAINER_PERSISTENT',
      doc: 'Keep a sandbox’s files while it is suspended.',
    }),
    'terminal.persistent_shell': setting(flag(), {
      default: true,
      env: 'TERMINAL_PERSISTENT_SHELL',
      doc: 'Keep directory, variables and functions from command to command, on every backend but local.',
    }),
    'terminal.sudo_password': optional(matching(/^[^\r\n\0]+$/, 'a password, in one line'), {
      env: 'SUDO_PASSWORD',
      secret: true,
      unset: 'sudo works where it needs no password; `hermes chat` asks for one',
      doc: 'Password that `sudo` is given on local and ssh; messaging sessions need `gateway.sandbox_sudo` too.',
    }),
    'terminal.env_passthrough': setting(listOf(variableName()), {
      default: [],
      doc: 'Variables that local commands see besides the basic ones.',
    }),
  },
});
