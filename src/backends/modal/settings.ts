// The settings of the modal backend.
import { text } from '../../base/kinds.ts';
import { defineSection, setting } from '../../base/setting.ts';

export const section = defineSection({
  title: 'Modal',
  doc: 'How the `modal` backend makes sandboxes in that cloud.',
  settings: {
    'terminal.modal_image': setting(text('the name of an image'), {
      default: 'nikolaik/python-nodejs:python3.11-nodejs20',
      env: 'TERMINAL_MODAL_IMAGE',
      doc: 'Image of the sandbox.',
    }),
  },
});
