// The settings of the modal backend.
import { choice, duration, listOf, matching, text } from '../../base/kinds.ts';
import { closed } from '../../base/safer.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';

/** The service gives a sandbox no longer life. */
const DAY_SECONDS = 86_400;

const name = matching(/^[A-Za-z0-9][\w.-]{0,62}$/, 'a name of letters, digits, dashes, dots and underscores');
const address = matching(/^https?:\/\/[^/?#\s]+\/?$/, 'an http or https address');

export const section = defineSection({
  title: 'Modal',
  doc: 'How the `modal` backend makes sandboxes in that cloud. Without a token here, that of `~/.modal.toml` is taken.',
  settings: {
    'terminal.modal_image': setting(text('the name of an image'), {
      default: 'nikolaik/python-nodejs:python3.11-nodejs20',
      env: 'TERMINAL_MODAL_IMAGE',
      doc: 'Image of the sandbox, from a registry.',
    }),
    'terminal.modal_app': setting(name, {
      default: 'hermes-agent',
      env: 'TERMINAL_MODAL_APP',
      doc: 'App of Modal that sandboxes belong to; it is made where it is missing.',
    }),
    'terminal.modal_region': setting(listOf(name), {
      default: [],
      env: 'TERMINAL_MODAL_REGION',
      doc: 'Regions where sandboxes may run. Empty = anywhere; a choice costs more.',
    }),
    'terminal.modal_network': setting(choice(['none', 'open']), {
      default: 'open',
      env: 'TERMINAL_MODAL_NETWORK',
      safer: closed,
      doc: 'Network of sandboxes that are not to be without one. `none` takes it from all.',
    }),
    'terminal.modal_life': setting(duration(60, DAY_SECONDS), {
      default: DAY_SECONDS,
      env: 'TERMINAL_MODAL_LIFE',
      doc: 'After this Modal ends a sandbox, whatever runs in it; never less than its idle time and a margin.',
    }),
    'terminal.modal_token_id': optional(text('the id of a token'), {
      env: 'MODAL_TOKEN_ID',
      unset: 'as in `~/.modal.toml`',
      doc: 'Id of the token for Modal.',
    }),
    'terminal.modal_token_secret': optional(text('the secret of a token'), {
      env: 'MODAL_TOKEN_SECRET',
      secret: true,
      unset: 'as in `~/.modal.toml`',
      doc: 'Secret of the token for Modal.',
    }),
    'terminal.modal_server_url': optional(address, {
      env: 'MODAL_SERVER_URL',
      unset: 'Modal’s own',
      doc: 'Address of another server that speaks Modal’s protocol.',
    }),
  },
});
