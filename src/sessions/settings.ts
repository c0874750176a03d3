// The settings of messaging sandboxes: where they are made, what they may reach, how long they live.

import { moreIsolated } from '../backends/isolation.ts';
import { backendChoice } from '../backends/settings.ts';
import { choice, duration, flag, integer, listOf, text, variableName, volume } from '../base/kinds.ts';
import { closed, namedByBoth, permittedByBoth } from '../base/safer.ts';
import { defineSection, optional, setting } from '../base/setting.ts';

export const section = defineSection({
  title: 'Messaging sandboxes',
  doc: 'Where the commands of messaging sessions run, what they may reach, and how long their sandboxes live.',
  settings: {
    'gateway.terminal_backend': optional(backendChoice, {
      env: 'GATEWAY_TERMINAL_BACKEND',
      safer: moreIsolated,
      narrows: 'terminal.backend',
      unset: 'as `terminal.backend`',
      doc: 'Backend for messaging sessions; overrides `terminal.backend`.',
    }),
    'gateway.sandbox_image': optional(text('the name of an image'), {
      unset: 'as `terminal.docker_image`',
      doc: 'Image of messaging sandboxes.',
    }),
    'gateway.sandbox_lifetime': setting(duration(1, 31_536_000), {
      default: 3600,
      doc: 'How long a messaging sandbox may be idle before it is suspended or removed.',
    }),
    'gateway.sandbox_network': setting(choice(['none', 'open']), {
      safer: closed,
      default: 'none',
      doc: 'Network of messaging sandboxes.',
    }),
    'gateway.sandbox_retention': setting(duration(0, 315_360_000), {
      default: 604_800,
      doc: 'How long a suspended sandbox keeps its data.',
    }),
    'gateway.sandbox_background_lifetime': setting(duration(60, 315_360_000), {
      default: 86_400,
      doc: 'How long after its last command background processes keep a sandbox alive; then they end with it, or with its suspension.',
    }),
    'gateway.sandbox_volumes': setting(listOf(volume()), {
      safer: namedByBoth,
      default: [],
      doc: 'Host folders mounted into messaging sandboxes.',
    }),
    'gateway.sandbox_forward_env': setting(listOf(variableName()), {
      safer: namedByBoth,
      default: [],
      doc: 'Names of variables whose values reach commands of messaging sessions.',
    }),
    'gateway.sandbox_sudo': setting(flag(), {
      safer: permittedByBoth,
      default: false,
      doc: 'Give `terminal.sudo_password` to commands of messaging sessions too, on local and ssh.',
    }),
    'gateway.max_sandboxes': optional(integer(1, 100_000), {
      unset: 'as many as fit into half of the memory',
      doc: 'How many sandboxes may be live at once; further sessions wait, and the longest idle one makes room.',
    }),
    'gateway.warm_sandboxes': setting(integer(0, 1000), {
      default: 0,
      doc: 'How many unused sandboxes are kept ready, so that a new session need not wait for one.',
    }),
    'gateway.audit_retention': setting(duration(86_400, 315_360_000), {
      default: 7_776_000,
      doc: 'How long the record of who caused which command is kept.',
    }),
  },
});
