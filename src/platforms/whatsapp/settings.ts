// The settings of the whatsapp platform.
import { defineSection } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('WHATSAPP');

export const section = defineSection({
  title: 'WhatsApp',
  doc: 'The WhatsApp platform.',
  settings: {
    'whatsapp.allowed_users': people.allowedUsers,
    'whatsapp.allow_all_users': people.allowAllUsers,
    'whatsapp.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
