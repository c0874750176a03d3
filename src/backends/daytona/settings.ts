// The settings of the daytona backend.
import { choice, listOf, matching, text } from '../../base/kinds.ts';
import { closed } from '../../base/safer.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';

const range = matching(/^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/, 'IPv4 ranges such as `10.1.0.0/16`');
const domain = matching(/^(\*\.)?[a-zA-Z0-9]([a-zA-Z0-9-]*\.)+[a-zA-Z]{2,}$/, 'names such as `*.npmjs.org`');

export const section = defineSection({
  title: 'Daytona',
  doc: 'How the `daytona` backend makes sandboxes in that cloud.',
  settings: {
    'terminal.daytona_image': setting(text('the name of an image, or `snapshot:` and that of a snapshot'), {
      default: 'nikolaik/python-nodejs:python3.11-nodejs20',
      env: 'TERMINAL_DAYTONA_IMAGE',
      doc: 'Image of the sandbox. A snapshot has its own cores, memory and disk.',
    }),
    'terminal.daytona_api_key': optional(text('an API key'), {
      env: 'DAYTONA_API_KEY',
      secret: true,
      unset: 'the backend cannot be used',
      doc: 'Key of your organisation, with the rights to write and delete sandboxes.',
    }),
    'terminal.daytona_api_url': setting(
      matching(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'an http or https address'),
      {
        default: 'https://app.daytona.io/api',
        env: 'DAYTONA_API_URL',
        doc: 'Address of the API, for an installation of your own.',
      },
    ),
    'terminal.daytona_target': optional(text('the name of a region'), {
      env: 'DAYTONA_TARGET',
      unset: 'the default region of the organisation',
      doc: 'Region in which sandboxes are made.',
    }),
    'terminal.daytona_network': setting(choice(['none', 'open']), {
      default: 'open',
      env: 'TERMINAL_DAYTONA_NETWORK',
      safer: closed,
      doc: 'Network of sandboxes that are not to be without one. `none` takes it from all.',
    }),
    'terminal.daytona_allowed_ranges': setting(listOf(range), {
      default: [],
      doc: 'The only addresses that an open network reaches. Empty = all.',
    }),
    'terminal.daytona_allowed_domains': setting(listOf(domain), {
      default: [],
      doc: 'The only domains that an open network reaches. Empty = all.',
    }),
  },
});
