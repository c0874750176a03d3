// The settings of the docker backend.
import { z } from 'zod';
import { flag, listOf, matching, text, variableName, volume } from '../../base/kinds.ts';
import { closed, namedByBoth, permittedByBoth } from '../../base/safer.ts';
import { defineSection, optional, setting } from '../../base/setting.ts';

const DEFAULT_IMAGE = 'nikolaik/python-nodejs:python3.11-nodejs20';

const network = matching(
  /^(?!host$)[a-zA-Z0-9][\w.-]*$/,
  '`none`, `bridge` or the name of a network; `host` and `container:…` are refused',
);
const name = matching(/^\w[\w.-]*(:\w[\w.-]*)?$/, 'a name or number, with a group behind a colon if need be');
// YAML reads a bare 1000 as a number.
const user = {
  ...name,
  schema: z.preprocess(value => (typeof value === 'number' ? String(value) : value), name.schema),
};
const capability = matching(/^(?!(CAP_)?ALL$)[A-Z_]+$/, 'names such as `CHOWN`; `ALL` is refused');

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
      safer: namedByBoth,
      doc: 'Names of variables whose values reach commands in the container.',
    }),
    'terminal.docker_volumes': setting(listOf(volume()), {
      default: [],
      env: 'TERMINAL_DOCKER_VOLUMES',
      safer: namedByBoth,
      doc: 'Host folders to mount.',
    }),
    'terminal.docker_mount_cwd_to_workspace': setting(flag(), {
      default: false,
      env: 'TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE',
      safer: permittedByBoth,
      doc: 'Mount the folder in which the CLI was started at `/workspace`.',
    }),
    'terminal.docker_allow_dangerous_volumes': setting(flag(), {
      default: false,
      env: 'TERMINAL_DOCKER_ALLOW_DANGEROUS_VOLUMES',
      safer: permittedByBoth,
      doc: 'Mount also folders that hand over the host, such as `/etc` or `~/.ssh`. Each use is warned about.',
    }),
    'terminal.docker_network': setting(network, {
      default: 'bridge',
      env: 'TERMINAL_DOCKER_NETWORK',
      safer: closed,
      doc: 'Network of containers that are not to be without one. `none` takes it from all.',
    }),
    'terminal.docker_user': optional(user, {
      env: 'TERMINAL_DOCKER_USER',
      unset: 'the owner of what is mounted for writing, `/workspace` first, else the user of the image',
      doc: 'User in the container.',
    }),
    'terminal.docker_runtime': optional(matching(/^[\w.-]+$/, 'the name of a runtime of the engine'), {
      env: 'TERMINAL_DOCKER_RUNTIME',
      unset: 'the engine’s own default',
      doc: 'Runtime of the container, such as `runsc`.',
    }),
    'terminal.docker_extra_caps': setting(listOf(capability), {
      default: [],
      env: 'TERMINAL_DOCKER_EXTRA_CAPS',
      safer: namedByBoth,
      doc: 'Capabilities that a container’s root keeps. None are needed for commands; a package manager may need some.',
    }),
  },
});
