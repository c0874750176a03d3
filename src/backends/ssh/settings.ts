// The settings of the ssh backend.
import { flag, integer, text } from '../../base/kinds.ts';
import { permittedByBoth } from '../../base/safer.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';

export const section = defineSection({
  title: 'SSH',
  doc: 'Which machine the `ssh` backend runs commands on. It is remote execution, not containment.',
  settings: {
    'terminal.ssh_host': optional(text('a host name'), {
      env: 'TERMINAL_SSH_HOST',
      unset: 'the ssh backend cannot be used',
      doc: 'Host to connect to; aliases of your ssh configuration work.',
    }),
    'terminal.ssh_user': optional(text('a user name'), {
      env: 'TERMINAL_SSH_USER',
      unset: 'as ssh decides',
      doc: 'User on that host.',
    }),
    'terminal.ssh_port': setting(integer(1, 65_535), {
      default: 22,
      env: 'TERMINAL_SSH_PORT',
      doc: 'Port of the ssh server. 22 leaves it to your ssh configuration.',
    }),
    'terminal.ssh_key': optional(text('the path of a private key'), {
      env: 'TERMINAL_SSH_KEY',
      unset: 'agent and default keys',
      doc: 'Private key to use.',
    }),
    'terminal.ssh_config': optional(text('the path of an ssh configuration'), {
      env: 'TERMINAL_SSH_CONFIG',
      unset: 'your own and the system’s',
      doc: 'Configuration for ssh, instead of the usual files.',
    }),
    'terminal.ssh_disposable': setting(flag(), {
      default: false,
      env: 'TERMINAL_SSH_DISPOSABLE',
      safer: permittedByBoth,
      doc: 'That machine may be lost: commands there are asked about as in a container with a network, not as on your own.',
    }),
    'terminal.ssh_persistent': optional(flag(), {
      env: 'TERMINAL_SSH_PERSISTENT',
      unset: 'as `terminal.persistent_shell`',
      doc: 'Persistent shell on the ssh backend.',
    }),
  },
});
