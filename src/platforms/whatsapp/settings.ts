// The settings of the whatsapp platform.
import { commaListOf, integer, matching, text } from '../../base/kinds.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';
import { identity } from './identity.ts';

const people = peopleSettings('WHATSAPP');

export const section = defineSection({
  title: 'WhatsApp',
  doc: 'The WhatsApp platform: a number of the WhatsApp Business Platform, by its Cloud API.',
  settings: {
    'whatsapp.access_token': optional(text('an access token'), {
      env: 'WHATSAPP_ACCESS_TOKEN',
      secret: true,
      unset: 'the platform is off',
      doc: 'Token of a system user, with the permissions whatsapp_business_messaging and whatsapp_business_management.',
    }),
    'whatsapp.phone_number_id': optional(matching(/^\d{5,32}$/, 'the id of a number, in digits'), {
      env: 'WHATSAPP_PHONE_NUMBER_ID',
      doc: 'Id of the number that the agent has; not the number itself.',
    }),
    'whatsapp.app_secret': optional(text('an app secret'), {
      env: 'WHATSAPP_APP_SECRET',
      secret: true,
      doc: 'Secret of the app, which signs what comes in.',
    }),
    'whatsapp.verify_token': optional(matching(/^\S{16,}$/, 'at least 16 characters without spaces'), {
      env: 'WHATSAPP_VERIFY_TOKEN',
      secret: true,
      doc: 'Word of your own choice, by which the webhook is set up.',
    }),
    'whatsapp.host': setting(text('an address of this machine'), {
      default: '127.0.0.1',
      env: 'WHATSAPP_HOST',
      doc: 'Where the webhook is served; a proxy with TLS stands before it.',
    }),
    'whatsapp.port': setting(integer(0, 65_535), {
      default: 8381,
      env: 'WHATSAPP_PORT',
      doc: 'Its port; 0 takes any free one.',
    }),
    'whatsapp.api_root': setting(
      matching(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, 'an http or https address'),
      {
        default: 'https://graph.facebook.com/v25.0',
        env: 'WHATSAPP_API_ROOT',
        doc: 'Address of the Graph API, with its version.',
      },
    ),
    'whatsapp.template_name': optional(matching(/^[a-z0-9_]{1,512}$/, 'the name of a template'), {
      env: 'WHATSAPP_TEMPLATE_NAME',
      unset: 'what comes later than 24 hours is not delivered',
      doc: 'Approved template with one variable, for people who have not written for 24 hours.',
    }),
    'whatsapp.template_language': setting(
      matching(/^[a-z]{2,3}(_[A-Z]{2,4})?$/, 'a code such as `en` or `en_US`'),
      {
        default: 'en_US',
        env: 'WHATSAPP_TEMPLATE_LANGUAGE',
        doc: 'Language of the template.',
      },
    ),
    'whatsapp.allowed_groups': setting(commaListOf(text('ids of groups')), {
      default: [],
      env: 'WHATSAPP_ALLOWED_GROUPS',
      doc: 'Groups in which the agent answers; all others are ignored.',
    }),
    'whatsapp.allowed_users': setting(commaListOf(identity()), {
      default: [],
      env: 'WHATSAPP_ALLOWED_USERS',
      doc: people.allowedUsers.doc,
    }),
    'whatsapp.allow_all_users': people.allowAllUsers,
    'whatsapp.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
