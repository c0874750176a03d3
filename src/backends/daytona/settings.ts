// The settings of the daytona backend.
import { text } from '../../base/kinds.ts';
import { defineSection, setting } from '../../base/setting.ts';

export const section = defineSection({
  title: 'Daytona',
  doc: 'How the `daytona` backend makes sandboxes in that cloud.',
  settings: {
    'terminal.daytona_image': setting(text('the name of an image'), {
      default: 'nikolaik/python-nodejs:python3.11-nodejs20',
      env: 'TERMINAL_DAYTONA_IMAGE',
      doc: 'Image of the sandbox.',
    }),
  },
});
