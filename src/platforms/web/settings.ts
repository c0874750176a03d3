// The settings of the web platform.
import { flag, integer, listOf, matching, text } from '../../base/kinds.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('WEB');

export const section = defineSection({
  title: 'Web',
  doc: 'The page of the gateway: a chat, and for owners everything to operate it. `hermes gateway login` makes a link that lets somebody in.',
  settings: {
    'web.enabled': setting(flag(), { default: false, env: 'WEB_ENABLED', doc: 'Offer the web chat.' }),
    'web.host': setting(text('an address of this machine'), {
      default: '127.0.0.1',
      env: 'WEB_HOST',
      doc: 'Where the page is served. Anything but loopback needs `web.password`, and a proxy with TLS before it.',
    }),
    'web.port': setting(integer(0, 65_535), {
      default: 8378,
      env: 'WEB_PORT',
      doc: 'Its port; 0 takes any free one.',
    }),
    'web.secret': optional(matching(/^.{32,}$/, 'at least 32 characters'), {
      env: 'WEB_SECRET',
      secret: true,
      unset: 'logins end with the gateway',
      doc: 'Signs the cookies of the web chat; a new one ends every login.',
    }),
    'web.password': optional(matching(/^.{12,}$/, 'at least 12 characters'), {
      env: 'WEB_PASSWORD',
      secret: true,
      unset: 'a link is enough, on loopback only',
      doc: 'Asked for besides the link. Needed where `web.host` is not loopback.',
    }),
    'web.origins': setting(
      listOf(matching(/^https?:\/\/[^/\s]+$/, 'addresses such as `https://chat.example.org`')),
      {
        default: [],
        env: 'WEB_ORIGINS',
        doc: 'Further addresses under which a proxy, or the host of a container, shows the web chat.',
      },
    ),
    'web.allowed_users': people.allowedUsers,
    'web.allow_all_users': people.allowAllUsers,
    'web.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
