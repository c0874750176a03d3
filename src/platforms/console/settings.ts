// The settings of the console platform.
import { choice } from '../../base/kinds.ts';
import { defineSection, setting } from '../../base/setting.ts';
import { peopleSettings } from '../people-settings.ts';

const people = peopleSettings('CONSOLE');

export const section = defineSection({
  title: 'Console',
  doc: 'A chat over the standard input and output of the gateway, for tests and pipes.',
  settings: {
    'console.mode': setting(choice(['off', 'text', 'json'], { wordForFalse: 'off' }), {
      default: 'off',
      doc: 'Off, a message a line, or a JSON object a line with files, buttons and edits.',
    }),
    'console.allowed_users': people.allowedUsers,
    'console.allow_all_users': people.allowAllUsers,
    'console.unauthorized_dm_behavior': people.unauthorizedDmBehavior,
  },
});
