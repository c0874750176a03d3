// The settings of the singularity backend.
import { text } from '../../base/kinds.ts';
import { defineSection, setting } from '../../base/setting.ts';

export const section = defineSection({
  title: 'Singularity / Apptainer',
  doc: 'How the `singularity` backend makes instances.',
  settings: {
    'terminal.singularity_image': setting(text('the name of an image'), {
      default: 'docker://nikolaik/python-nodejs:python3.11-nodejs20',
      env: 'TERMINAL_SINGULARITY_IMAGE',
      doc: 'Image of the sandbox.',
    }),
  },
});
