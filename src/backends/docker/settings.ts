// The settings of the docker backend.
import { flag, listOf, text, variableName, volume } from '../../base/kinds.ts';
import { defineSection, setting } from '../../base/setting.ts';

const DEFAULT_IMAGE = 'nikolaik/python-nodejs:python3.11-nodejs20';

export const section = defineSection({
  title: 'Docker',
  doc: 'How the `docker` backend makes containers. Mounts and forwarded variables serve CLI sessions only.',
  settings: {
    'terminal.docker_image': setting(text('the name of an image'), {
      default: DEFAULT_IMAGE,
      env: 'TERMINAL_DOCKER_IMAGE',
      doc: 'Image of the container.',
    }),
    'terminal.docker_forward_env': setting(listOf(variableName()), {
      default: [],
      env: 'TERMINAL_DOCKER_FORWARD_ENV',
      doc: 'Names of variables whose values reach commands in the container.',
    }),
    'terminal.docker_volumes': setting(listOf(volume()), {
      default: [],
      env: 'TERMINAL_DOCKER_VOLUMES',
      doc: 'Host folders to mount.',
    }),
    'terminal.docker_mount_cwd_to_workspace': setting(flag(), {
      default: false,
      env: 'TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE',
      doc: 'Mount the folder in which the CLI was started at `/workspace`.',
    }),
  },
});
