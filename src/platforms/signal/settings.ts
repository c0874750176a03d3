// The settings of the signal platform.
import { commaListOf, matching, text } from '../../base/kinds.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';
import { identity, identityList } from './identity-kind.ts';

const people = peopleSettings('SIGNAL');

export const section = defineSection({
  title: 'Signal',
  doc: 'The Signal platform.',
  settings: {
    'signal.http_url': optional(
      matching(/^https?:\/\/[^/?#\s@]+(\/[^?#\s]*)?$/, 'an http or https address'),
      {
        env: 'SIGNAL_HTTP_URL',
        unset: 'the platform is off',
        doc: 'Address of the signal-cli daemon.',
      },
    ),
    'signal.account': optional(identity(), {
      env: 'SIGNAL_ACCOUNT',
      unset: 'the platform is off',
      doc: 'Number that the daemon is registered with.',
    }),
    'signal.allowed_groups': setting(commaListOf(text('ids of groups')), {
      default: [],
      env: 'SIGNAL_ALLOWED_GROUPS',
      doc: 'Groups in which the agent listens, by their id; in others it hears nothing.',
    }),
    'signal.allowed_users': setting(identityList(), {
      default: [],
      env: 'SIGNAL_ALLOWED_USERS',
      doc: people.allowedUsers.doc,
    }),
    'signal.allow_all_users': people.allowAllUsers,
    'signal.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
