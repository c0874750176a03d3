// The settings of the signal platform.
import { text } from '../../base/kinds.ts';
import { defineSection, optional } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('SIGNAL');

export const section = defineSection({
  title: 'Signal',
  doc: 'The Signal platform.',
  settings: {
    'signal.http_url': optional(text('the address of a signal-cli daemon'), {
      env: 'SIGNAL_HTTP_URL',
      unset: 'the platform is off',
      doc: 'Address of the signal-cli daemon.',
    }),
    'signal.account': optional(text('a phone number'), {
      env: 'SIGNAL_ACCOUNT',
      unset: 'the platform is off',
      doc: 'Number that the daemon is registered with.',
    }),
    'signal.allowed_users': people.allowedUsers,
    'signal.allow_all_users': people.allowAllUsers,
    'signal.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
