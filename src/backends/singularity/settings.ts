// The settings of the singularity backend.
import { matching, text } from '../../base/kinds.ts';
import { closed } from '../../base/safer.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';

const network = matching(
  /^[a-zA-Z0-9][\w.-]*(,[a-zA-Z0-9][\w.-]*)*$/,
  '`none`, the name of a CNI network of this machine, or `host`',
);

export const section = defineSection({
  title: 'Singularity / Apptainer',
  doc: 'How the `singularity` backend makes instances.',
  settings: {
    'terminal.singularity_image': setting(text('an image file, a folder, or a name such as `docker://…`'), {
      default: 'docker://nikolaik/python-nodejs:python3.11-nodejs20',
      env: 'TERMINAL_SINGULARITY_IMAGE',
      doc: 'Image of the sandbox. What is not a file or a folder is converted once and kept.',
    }),
    'terminal.singularity_network': setting(network, {
      default: 'none',
      env: 'TERMINAL_SINGULARITY_NETWORK',
      safer: closed,
      doc: 'Network of sandboxes that are to have an open one. `host` is this machine’s own, with its loopback.',
    }),
    'terminal.scratch_dir': optional(matching(/^\/[^,:"\n]*$/, 'the absolute path of a folder'), {
      env: 'TERMINAL_SCRATCH_DIR',
      unset: '`/scratch/$USER` where there is one, else the home folder of Hermes',
      doc: 'Folder for the files of sandboxes and for converted images, on a disk with room.',
    }),
  },
});
