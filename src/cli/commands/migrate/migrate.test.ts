import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callHermes } from '../../../../test/integration/call-hermes.ts';
import { keyFacts, variableFacts } from '../../../config/original/facts.ts';

const FIXTURES = join(import.meta.dirname, '../../../../test/fixtures/original');
const IMAGE = 'nikolaik/python-nodejs:python3.11-nodejs20';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-migrate-'));
});
afterEach(() => rm(home, { recursive: true }));

async function hermes(...argv: string[]) {
  return callHermes(argv, { inherited: {}, env: { HERMES_HOME: home, HOME: home } });
}

async function put({ yaml, env }: { yaml?: string; env?: string }): Promise<void> {
  if (yaml !== undefined) await writeFile(join(home, 'config.yaml'), yaml, { mode: 0o600 });
  if (env !== undefined) await writeFile(join(home, '.env'), env, { mode: 0o600 });
}

function example(name: string): Promise<string> {
  return readFile(join(FIXTURES, name), 'utf8');
}

interface Shown {
  readonly settings: readonly {
    readonly key: string;
    readonly value: unknown;
    readonly origin: { readonly from: string; readonly line?: number };
  }[];
}

/** Every setting that is not default, with where it comes from: `file:2`. */
async function shown(): Promise<Record<string, readonly [unknown, string]>> {
  const { stdout, stderr } = await hermes('config', 'show', '--changed', '--origin', '--json');
  expect(stderr).not.toContain('error');
  const { settings } = JSON.parse(stdout) as Shown; // our own output
  return Object.fromEntries(
    settings.map(({ key, value, origin: { from, line } }) => [key, [value, `${from}:${line}`] as const]),
  );
}

const HOME = {
  'model.provider': ['openai-compatible', 'file:5'],
  'model.name': ['anthropic/claude-opus-4.6', 'file:5'],
  'model.base_url': ['https://openrouter.ai/api/v1', 'file:6'],
  'model.api_key_env': ['OPENROUTER_API_KEY', 'file:5'],
  'terminal.backend': ['local', 'file:10'],
  'terminal.timeout': [60, 'dotenv:4'],
  'terminal.docker_mount_cwd_to_workspace': [false, 'file:13'],
  'terminal.lifetime_seconds': [300, 'dotenv:5'],
  'terminal.docker_network': ['none', 'file:16'],
  'terminal.scratch_dir': ['/scratch/agent', 'file:17'],
  'terminal.container_cpu': [0, 'file:18'],
  'terminal.container_memory': [5120, 'file:19'],
  'terminal.container_disk': [51200, 'file:20'],
  'terminal.container_persistent': [true, 'file:21'],
  'terminal.env_passthrough': [[], 'file:23'],
  'terminal.modal_image': [IMAGE, 'dotenv:3'],
  'session_reset.mode': ['both', 'file:27'],
  'session_reset.idle_minutes': [1440, 'file:27'],
  'session_reset.at_hour': [4, 'file:27'],
  'agent.max_turns': [60, 'file:29'],
  'code_execution.timeout': [300, 'file:37'],
  'code_execution.max_tool_calls': [50, 'file:37'],
  'gateway.busy': ['queue', 'file:39'],
  'approvals.mode': ['off', 'file:41'],
  'approvals.timeout': [300, 'file:42'],
  command_allowlist: [[], 'file:44'],
  'discord.free_channels': [['123456789012345678', '223456789012345678'], 'file:50'],
  'discord.thread_per_conversation': [true, 'file:52'],
  group_sessions_per_user: [true, 'file:53'],
  'telegram.bot_token': ['***', 'dotenv:10'],
  'telegram.allowed_users': [['12345', '67890'], 'dotenv:11'],
} as const;

const EXAMPLES = [
  [
    'gateway-daytona.yaml',
    { 'gateway.terminal_backend': ['daytona', 'file:2'], 'gateway.sandbox_lifetime': [3600, 'file:3'] },
  ],
  [
    'gateway-docker.yaml',
    {
      'gateway.terminal_backend': ['docker', 'file:2'],
      'gateway.sandbox_image': ['python:3.11', 'file:3'],
      'gateway.sandbox_lifetime': [3600, 'file:4'],
    },
  ],
  [
    'terminal-docker.yaml',
    {
      'terminal.backend': ['docker', 'file:2'],
      'terminal.docker_image': [IMAGE, 'file:3'],
      'terminal.docker_mount_cwd_to_workspace': [true, 'file:4'],
      'terminal.docker_forward_env': [['GITHUB_TOKEN'], 'file:5'],
      'terminal.container_persistent': [true, 'file:7'],
      'terminal.container_cpu': [1, 'file:8'],
      'terminal.container_memory': [5120, 'file:9'],
      'terminal.container_disk': [51200, 'file:10'],
    },
  ],
  [
    'ssh.env',
    {
      'terminal.backend': ['ssh', 'dotenv:1'],
      'terminal.ssh_host': ['build.example.org', 'dotenv:2'],
      'terminal.ssh_user': ['agent', 'dotenv:3'],
    },
  ],
  [
    'local-persistent.env',
    { 'terminal.backend': ['local', 'dotenv:1'], 'terminal.local_persistent': [true, 'dotenv:2'] },
  ],
  ['home', HOME],
] as const;

async function putExample(name: string): Promise<void> {
  if (name === 'home') return put({ yaml: await example('home.yaml'), env: await example('home.env') });
  return put(name.endsWith('.env') ? { env: await example(name) } : { yaml: await example(name) });
}

describe.each(EXAMPLES)('the example %s of the original', (name, expected) => {
  it('has the values that it says, each from its line', async () => {
    await putExample(name);
    // Whether the engine of an example runs here is another matter.
    expect((await hermes('config', 'check', '--offline')).stderr).not.toContain('The configuration has');
    expect(await shown()).toEqual(expected);
  });

  it('has the same values after a rewrite, and nothing is left to translate', async () => {
    await putExample(name);
    expect(await hermes('migrate', 'apply', '--yes')).toMatchObject({ code: 0 });
    const values = Object.entries(expected).map(([key, [value]]) => [key, value]);
    const after = Object.entries(await shown()).map(([key, [value]]) => [key, value]);
    expect(Object.fromEntries(after)).toEqual(Object.fromEntries(values));
    const { stdout } = await hermes('migrate', 'check', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ translated: [], rewrites: [], problems: [] });
  });
});

describe('hermes migrate', () => {
  it('names what restricts nobody here at every start, in config check and in its own check', async () => {
    await putExample('home');
    for (const argv of [['migrate', 'check'], ['config', 'check', '--offline'], ['status']]) {
      const { stdout } = await hermes(...argv);
      const text = stdout.replace(/\s+/g, ' ');
      expect(text).toContain('discord.allowed_channels (config.yaml:51) restricts nobody here.');
      expect(text).toContain('platform_toolsets (config.yaml:33) restricts nobody here.');
      expect(text).not.toContain('toolsets (config.yaml:7)');
    }
  });

  it('mentions HERMES_YOLO_MODE once, wherever it is set', async () => {
    await put({ env: 'HERMES_YOLO_MODE=1\n' });
    const both = { inherited: {}, env: { HERMES_HOME: home, HERMES_YOLO_MODE: '1' } };
    const { stdout } = await callHermes(['migrate', 'check', '--json'], both);
    const { notes } = JSON.parse(stdout) as { notes: readonly string[] }; // our own output
    expect(notes.filter(note => note.includes('HERMES_YOLO_MODE'))).toHaveLength(1);
  });

  it('backs up, shows the changed lines without secrets, keeps comments and touches nothing else', async () => {
    await putExample('home');
    await put({ env: `${await example('home.env')}TERMINAL_SANDBOX_DIR=/very/secret\n` });
    await writeFile(join(home, 'modal_snapshots.json'), '{}');
    const before = await readFile(join(home, 'config.yaml'), 'utf8');
    const { stdout, stderr } = await hermes('migrate', 'apply', '--yes');
    expect(stderr).toContain('- TERMINAL_SANDBOX_DIR=***');
    expect(stdout + stderr).not.toContain('/very/secret');
    const after = await readFile(join(home, 'config.yaml'), 'utf8');
    expect(after).toContain('name: "anthropic/claude-opus-4.6" # the usual one');
    expect(after).toContain('browser: { inactivity_timeout: 120 }');
    const [folder = ''] = await readdir(join(home, 'backups'));
    expect(await readFile(join(home, 'backups', folder, 'config.yaml'), 'utf8')).toBe(before);
    expect((await stat(join(home, 'backups', folder, '.env'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(home, 'modal_snapshots.json'), 'utf8')).toBe('{}');
  });

  it('writes nothing while something would stop a start, and asks before it writes', async () => {
    const yaml = 'terminal:\n  sandbox_dir: /x\nterminal_backend: docker\n';
    await put({ yaml });
    const refused = await hermes('migrate', 'apply', '--yes');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('did you mean gateway.terminal_backend?');
    await put({ yaml: 'terminal:\n  sandbox_dir: /x\n' });
    expect(await hermes('migrate', 'apply')).toMatchObject({ code: 2 });
    expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe('terminal:\n  sandbox_dir: /x\n');
    expect(await readdir(home)).not.toContain('backups');
  });

  it('no key and no variable that is known of the original stops a start', async () => {
    const isOther = ({ fate }: { fate: string }): boolean => fate === 'foreign' || fate === 'different';
    const sections = new Map<string, string[]>();
    for (const { name } of keyFacts.filter(isOther)) {
      const [head = '', ...rest] = name.split('.');
      sections.set(head, [...(sections.get(head) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])]);
    }
    const lines = [...sections].flatMap(([head, keys]) =>
      keys.length === 0 ? [`${head}: [some]`] : [`${head}:`, ...keys.map(key => `  ${key}: [some]`)],
    );
    const env = variableFacts.filter(isOther).map(({ name }) => `${name.replace('*', 'X')}=some`);
    await put({ yaml: `${lines.join('\n')}\n`, env: `${env.join('\n')}\n` });
    const { stdout } = await hermes('migrate', 'check', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ problems: [] });
  });
});
