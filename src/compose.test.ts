// The names, variables and defaults that existing installations rely on.
import { describe, expect, it } from 'vitest';
import { type BackendName, backendNames } from './backends/index.generated.ts';
import type { Setting } from './base/setting.ts';
import { loadHermesConfig, sections } from './compose.ts';
import { allSettings } from './config/load.ts';
import { type PlatformName, platformNames } from './platforms/index.generated.ts';
import { type ProviderName, providerNames } from './providers/index.generated.ts';

const IMAGE = 'nikolaik/python-nodejs:python3.11-nodejs20';
const settings: Readonly<Record<string, Setting<unknown>>> = allSettings(sections);

describe('settings that users already have', () => {
  it.each<[key: string, env: string | undefined, byDefault: unknown]>([
    ['terminal.backend', 'TERMINAL_ENV', undefined],
    ['terminal.cwd', 'TERMINAL_CWD', undefined],
    ['terminal.timeout', 'TERMINAL_TIMEOUT', 180],
    ['terminal.lifetime_seconds', 'TERMINAL_LIFETIME_SECONDS', 300],
    ['terminal.docker_image', 'TERMINAL_DOCKER_IMAGE', IMAGE],
    ['terminal.docker_forward_env', 'TERMINAL_DOCKER_FORWARD_ENV', []],
    ['terminal.docker_volumes', 'TERMINAL_DOCKER_VOLUMES', []],
    ['terminal.docker_mount_cwd_to_workspace', 'TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE', false],
    ['terminal.container_cpu', 'TERMINAL_CONTAINER_CPU', 1],
    ['terminal.container_memory', 'TERMINAL_CONTAINER_MEMORY', 5120],
    ['terminal.container_disk', 'TERMINAL_CONTAINER_DISK', 51_200],
    ['terminal.container_persistent', 'TERMINAL_CONTAINER_PERSISTENT', true],
    ['terminal.persistent_shell', 'TERMINAL_PERSISTENT_SHELL', true],
    ['terminal.local_persistent', 'TERMINAL_LOCAL_PERSISTENT', false],
    ['terminal.ssh_host', 'TERMINAL_SSH_HOST', undefined],
    ['terminal.ssh_user', 'TERMINAL_SSH_USER', undefined],
    ['terminal.ssh_port', 'TERMINAL_SSH_PORT', 22],
    ['terminal.ssh_key', 'TERMINAL_SSH_KEY', undefined],
    ['terminal.ssh_persistent', 'TERMINAL_SSH_PERSISTENT', undefined],
    ['terminal.singularity_image', 'TERMINAL_SINGULARITY_IMAGE', `docker://${IMAGE}`],
    ['terminal.modal_image', 'TERMINAL_MODAL_IMAGE', IMAGE],
    ['terminal.daytona_image', 'TERMINAL_DAYTONA_IMAGE', IMAGE],
    ['terminal.env_passthrough', undefined, []],
    ['gateway.terminal_backend', 'GATEWAY_TERMINAL_BACKEND', undefined],
    ['gateway.sandbox_image', undefined, undefined],
    ['gateway.sandbox_lifetime', undefined, 3600],
    ['gateway.sandbox_network', undefined, 'none'],
    ['gateway.sandbox_retention', undefined, 7 * 86_400],
    ['gateway.sandbox_volumes', undefined, []],
    ['gateway.sandbox_forward_env', undefined, []],
    ['approvals.mode', undefined, 'manual'],
    ['command_allowlist', undefined, []],
    ['code_execution.timeout', undefined, 300],
    ['code_execution.max_tool_calls', undefined, 50],
    ['agent.max_turns', undefined, 90],
    ['group_sessions_per_user', undefined, true],
    ['session_reset.mode', undefined, 'both'],
    ['session_reset.at_hour', undefined, 4],
    ['session_reset.idle_minutes', undefined, 1440],
    ['unauthorized_dm_behavior', undefined, 'pair'],
    ['gateway.allowed_users', 'GATEWAY_ALLOWED_USERS', []],
    ['gateway.allow_all_users', 'GATEWAY_ALLOW_ALL_USERS', false],
    ['telegram.bot_token', 'TELEGRAM_BOT_TOKEN', undefined],
    ['discord.bot_token', 'DISCORD_BOT_TOKEN', undefined],
    ['slack.bot_token', 'SLACK_BOT_TOKEN', undefined],
    ['slack.app_token', 'SLACK_APP_TOKEN', undefined],
    ['signal.http_url', 'SIGNAL_HTTP_URL', undefined],
    ['signal.account', 'SIGNAL_ACCOUNT', undefined],
  ])('%s', (key, env, byDefault) => {
    expect(settings[key]?.env).toBe(env);
    expect(settings[key]?.default).toEqual(byDefault);
  });

  it.each(platformNames)('%s has allowlists and a rule for strangers', platform => {
    const prefix = platform.toUpperCase();
    expect(settings[`${platform}.allowed_users`]?.env).toBe(`${prefix}_ALLOWED_USERS`);
    expect(settings[`${platform}.allow_all_users`]?.env).toBe(`${prefix}_ALLOW_ALL_USERS`);
    expect(settings[`${platform}.unauthorized_dm_behavior`]?.default).toBeUndefined();
  });

  it('backends, platforms and providers go by the names users know', () => {
    const backends: BackendName[] = [
      'bubblewrap',
      'daytona',
      'docker',
      'local',
      'modal',
      'singularity',
      'ssh',
    ];
    const platforms: PlatformName[] = [
      'console',
      'discord',
      'signal',
      'slack',
      'telegram',
      'web',
      'whatsapp',
    ];
    expect(backendNames).toEqual(backends);
    const providers: ProviderName[] = ['anthropic', 'openai-compatible'];
    expect(platformNames).toEqual(platforms);
    expect(providerNames).toEqual(providers);
  });

  it('every default is a value that the setting itself accepts', () => {
    for (const [key, { kind, default: byDefault }] of Object.entries(settings)) {
      if (byDefault !== undefined) expect(kind.schema.safeParse(byDefault).success, key).toBe(true);
    }
  });

  it('no key and no variable is declared twice', () => {
    const keys = sections.flatMap(section => Object.keys(section.settings));
    const variables = Object.values(settings).flatMap(setting => setting.env ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(variables).size).toBe(variables.length);
  });

  it('give a typed value', async () => {
    const config = await loadHermesConfig({ HERMES_HOME: '/nonexistent', TERMINAL_TIMEOUT: '7' });
    const timeout: number = config.get('terminal.timeout');
    expect(timeout).toBe(7);
  });
});
