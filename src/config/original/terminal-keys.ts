// The keys below `terminal` of the original.
import { different, type Fact, flagOf, guard, isGiven, listOfTexts, moved, same, UNSET } from './fact.ts';

/** Nothing is to be said about what the original writes into every new file. */
const HOST_ONLY = 'Commands keep the home folder of their sandbox.';

export const terminalKeys: readonly Fact[] = [
  same(
    'terminal.backend',
    'Unset is `auto` for chats here, an isolated backend, where it was `local` there.',
  ),
  moved('terminal.env_type', 'terminal.backend', 'The earlier name of the same setting.'),
  {
    ...same('terminal.cwd', '`.`, `auto` and `cwd` mean the same as no value.'),
    to: 'terminal.cwd',
    value: raw => (typeof raw === 'string' && ['.', 'auto', 'cwd'].includes(raw) ? UNSET : raw),
  },
  same('terminal.timeout'),
  same(
    'terminal.lifetime_seconds',
    'Of sessions of the command line; chats have `gateway.sandbox_lifetime`.',
  ),
  same('terminal.docker_image', 'The default is the one of April 2026; write another if you rely on it.'),
  same(
    'terminal.docker_forward_env',
    'Reaches sessions of the command line only; chats have `gateway.sandbox_forward_env`.',
  ),
  {
    ...same(
      'terminal.docker_volumes',
      'Reaches sessions of the command line only; chats have `gateway.sandbox_volumes`. A text with commas is read as a list.',
    ),
    to: 'terminal.docker_volumes',
    value: raw => (typeof raw === 'string' && !raw.trim().startsWith('[') ? listOfTexts(raw) : raw),
  },
  same('terminal.docker_mount_cwd_to_workspace'),
  {
    ...moved(
      'terminal.docker_network',
      'terminal.docker_network',
      '`false` is `none`, `true` is `bridge`. Chats have no network unless `gateway.sandbox_network` is `open`.',
    ),
    value: raw => {
      const open = flagOf(raw);
      return open === undefined ? raw : open ? 'bridge' : 'none';
    },
  },
  same('terminal.container_cpu', '`0` is no limit.'),
  same('terminal.container_memory', 'In MB; `0` is no limit.'),
  same('terminal.container_disk', 'In MB; `0` is no limit.'),
  same('terminal.container_persistent'),
  same('terminal.persistent_shell'),
  same('terminal.ssh_host'),
  same('terminal.ssh_user'),
  same('terminal.ssh_port'),
  same('terminal.ssh_key'),
  same('terminal.singularity_image'),
  same('terminal.modal_image'),
  same('terminal.daytona_image'),
  same('terminal.env_passthrough'),
  same('terminal.scratch_dir'),
  moved(
    'terminal.sandbox_dir',
    'terminal.scratch_dir',
    'Where files of sandboxes are kept, on a disk with room.',
  ),
  different(
    'terminal.docker_run_as_host_user',
    'Not needed: a container with a folder of yours runs as the owner of that folder. Set `terminal.docker_user` for another user.',
    [false],
  ),
  different(
    'terminal.docker_env',
    'Write the values into `.env` and their names into `terminal.docker_forward_env` (for chats: `gateway.sandbox_forward_env`).',
  ),
  guard(
    'terminal.docker_extra_args',
    'Flags of `docker run` are not passed on. For capabilities set `terminal.docker_extra_caps`, for a network `terminal.docker_network`, for limits `terminal.container_memory` and its like.',
    raw => isGiven(raw) && String(raw) !== '[]',
  ),
  different('terminal.docker_shm_size', 'Shared memory is as large as the engine makes it.', ['1g', '0']),
  different(
    'terminal.docker_snap_compat',
    'Every container is started with an init and without new privileges.',
  ),
  different('terminal.docker_shared_container_key', 'Every session has a sandbox of its own.'),
  different('terminal.docker_persist_across_processes', 'A sandbox is kept for its session.', [true]),
  different('terminal.docker_orphan_reaper', 'Sandboxes without an owner are always removed.', [true]),
  different(
    'terminal.modal_mode',
    'Modal is always asked directly; set `MODAL_TOKEN_ID` and `MODAL_TOKEN_SECRET`.',
    ['auto', 'direct'],
  ),
  different('terminal.vercel_runtime', 'There is no Vercel backend. Choose another `terminal.backend`.', [
    'node24',
  ]),
  different(
    'terminal.degraded_mode',
    'A backend that does not answer is an error that the agent and the owner see.',
    ['warn'],
  ),
  different('terminal.temp_dir', 'Every sandbox has a `/tmp` of its own.'),
  different('terminal.home_mode', HOST_ONLY, ['auto']),
  different(
    'terminal.shell_init_files',
    'Put what commands need into the image, or use `terminal.env_passthrough` on `local`.',
  ),
  different('terminal.auto_source_bashrc', 'Shells start without files of yours.', [true]),
  different('terminal.daemon_term_grace_seconds', 'Processes have a fixed time to end.', [2]),
  different(
    'terminal.oneshot_completion_wait_seconds',
    'A single command does not wait for background processes.',
    [600],
  ),
  different('terminal.font_family', 'There is no desktop program.'),
];
