// Where a session's commands run: every choice, every refusal, and that nothing leads to less isolation (P2).

import { describe, expect, it } from 'vitest';
import { fc, runs } from '../../test/property.ts';
import { backendFacts, backendNames, backendSections } from '../backends/index.generated.ts';
import { section as terminal } from '../backends/settings.ts';
import type { Config } from '../config/config.ts';
import { parseDotenv } from '../config/dotenv-file.ts';
import { allSettings } from '../config/load.ts';
import { resolveSettings } from '../config/resolve.ts';
import { parseYaml } from '../config/yaml-file.ts';
import { autoOrder, isIsolated } from './choose-backend.ts';
import { policyHash, resolveSandboxPolicy } from './policy.ts';
import type { PolicyConfig, PolicyWorld, SessionTraits } from './policy-input.ts';
import { section } from './settings.ts';

const settings = allSettings([terminal, ...backendSections, section]);
const fresh: PolicyWorld = { backends: backendFacts, recorded: null };
const messaging: SessionTraits = { kind: 'messaging' };
const cli: SessionTraits = { kind: 'cli' };

interface Given {
  readonly yaml?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly dotenv?: string;
  readonly flags?: Readonly<Record<string, string>>;
}

/** The real resolution, without the files. */
function resolve({ yaml = '', environment = {}, dotenv = '', flags = {} }: Given) {
  return resolveSettings(settings, {
    flags: Object.fromEntries(Object.entries(flags).map(([key, text]) => [key, { flag: '--flag', text }])),
    environment,
    dotenv: parseDotenv(dotenv, '.env'),
    yaml: parseYaml(yaml, 'config.yaml', () => true),
    dotenvFile: '.env',
    yamlFile: 'config.yaml',
  });
}

function configOf(given: Given): PolicyConfig {
  const resolved = resolve(given);
  expect(resolved.problems).toEqual([]);
  const look = (key: string) => resolved.values.get(key);
  return {
    get: key => look(key)?.value as never,
    warnings: [],
    origin: key => look(key)?.origin ?? { from: 'default' },
    entries: () =>
      Object.entries(settings).map(
        ([key, setting]) => ({ key, setting, ...look(key) }) as ReturnType<Config['entries']>[number],
      ),
  };
}

const decide = (given: Given, session = messaging, world = fresh) =>
  resolveSandboxPolicy(configOf(given), session, world);

function policyOf(given: Given, session = messaging, world = fresh) {
  const decision = decide(given, session, world);
  if (decision.kind !== 'decided') throw new Error(JSON.stringify(decision));
  return decision.policy;
}

const backend = (name: string): string => `terminal: { backend: ${name} }\n`;
const gatewayBackend = (name: string): string => `gateway: { terminal_backend: ${name} }\n`;

describe('P2: the backend', () => {
  it('is the gateway’s own, above the common one and any variable', () => {
    const given = {
      yaml: backend('local') + gatewayBackend('docker'),
      environment: { TERMINAL_ENV: 'local' },
    };
    expect(policyOf(given).backend).toEqual({
      value: 'docker',
      origin: 'gateway.terminal_backend, config.yaml:2',
    });
  });

  it('is the common one when the gateway has none', () => {
    expect(policyOf({ yaml: backend('docker') }).backend.value).toBe('docker');
  });

  it('is local only when somebody wrote local', () => {
    expect(policyOf({ yaml: backend('local') })).toMatchObject({
      backend: { value: 'local' },
      isolation: 'none',
    });
    expect(decide({})).toEqual({ kind: 'undecided', among: ['docker', 'bubblewrap'], origin: 'default' });
  });

  it('is refused when it is unknown here; no other one takes its place', () => {
    const { docker: _, ...others } = backendFacts;
    expect(decide({ yaml: backend('docker') }, messaging, { ...fresh, backends: others })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('no backend docker'),
    });
  });

  it('has folders and variables of the gateway for chats only', () => {
    const yaml = `${backend('docker')}gateway: { sandbox_volumes: ["/srv/a:/a"], sandbox_forward_env: [TOKEN] }\n`;
    const shared = ({ mounts, env }: ReturnType<typeof policyOf>) => [mounts.value, env.value];
    expect(shared(policyOf({ yaml }))).toEqual([['/srv/a:/a'], ['TOKEN']]);
    expect(shared(policyOf({ yaml }, cli))).toEqual([[], []]);
  });

  it('is what auto came to before, and says when', () => {
    const world = { ...fresh, recorded: { name: 'bubblewrap', chosenAt: Date.UTC(2026, 4, 1) } };
    expect(policyOf({}, messaging, world).backend).toEqual({
      value: 'bubblewrap',
      origin: 'auto (default), chosen on 2026-05-01',
    });
  });

  it('is refused when auto is said to have come to something that isolates nothing', () => {
    const world = { ...fresh, recorded: { name: 'local', chosenAt: 0 } };
    expect(decide({}, messaging, world)).toMatchObject({ kind: 'refused' });
  });

  it('is local for the CLI unless somebody chose', () => {
    expect(policyOf({}, cli).backend).toEqual({ value: 'local', origin: 'default' });
    expect(policyOf({ yaml: gatewayBackend('docker') }, cli).backend.value).toBe('local');
  });

  it.each([
    [{ environment: { TERMINAL_ENV: 'local' } }, 'environment variable TERMINAL_ENV'],
    [{ dotenv: 'TERMINAL_ENV=local\n' }, '.env:1 (TERMINAL_ENV)'],
    [{ environment: { TERMINAL_ENV: 'ssh' } }, 'environment variable TERMINAL_ENV'],
    [{ environment: { GATEWAY_TERMINAL_BACKEND: 'local' } }, 'environment variable GATEWAY_TERMINAL_BACKEND'],
    [{ dotenv: 'GATEWAY_TERMINAL_BACKEND=local\n' }, '.env:1 (GATEWAY_TERMINAL_BACKEND)'],
  ])('does not let a variable undo what the file says, for chats or for the CLI: %j', (given, origin) => {
    const sources = { yaml: backend('docker'), ...given };
    expect(policyOf(sources).backend).toMatchObject({
      value: 'docker',
      origin: expect.stringContaining('config.yaml:1'),
    });
    expect(policyOf(sources, cli).backend.value).toBe('docker');
    expect(resolve(sources).overruled).toEqual([
      expect.stringMatching(/docker.*config\.yaml:1.*not "(local|ssh)".*the safer value wins/),
    ]);
    expect(resolve(sources).overruled[0]).toContain(origin);
  });

  it('lets a variable isolate more than the file says', () => {
    const given = { yaml: backend('local'), environment: { TERMINAL_ENV: 'docker' } };
    expect(policyOf(given).backend.value).toBe('docker');
    expect(resolve(given).overruled).toEqual([]);
  });

  it('takes what a person says on the command line', () => {
    const given = { yaml: backend('docker'), flags: { 'terminal.backend': 'local' } };
    expect(policyOf(given, cli).backend.value).toBe('local');
    expect(resolve(given).overruled).toEqual([]);
  });

  it('lets one file have other settings for chats than for the rest', () => {
    const given = { yaml: 'terminal: { backend: docker }\ngateway: { terminal_backend: local }\n' };
    expect(policyOf(given).backend.value).toBe('local');
    expect(resolve(given).overruled).toEqual([]);
  });
});

describe('P2: sources that disagree about what a sandbox is given', () => {
  const value = (given: Given, key: string): unknown => resolve(given).values.get(key)?.value;
  const yaml = (text: string): string => `terminal:\n  ${text}\n`;

  it.each([
    ['docker_volumes: ["/a:/a", "/b:/b"]', 'TERMINAL_DOCKER_VOLUMES=["/b:/b","/c:/c"]', ['/b:/b']],
    ['docker_forward_env: []', 'TERMINAL_DOCKER_FORWARD_ENV=["TOKEN"]', []],
    ['docker_extra_caps: [CHOWN]', 'TERMINAL_DOCKER_EXTRA_CAPS=["CHOWN","SETUID"]', ['CHOWN']],
    ['docker_network: none', 'TERMINAL_DOCKER_NETWORK=bridge', 'none'],
    ['modal_network: none', 'TERMINAL_MODAL_NETWORK=open', 'none'],
    ['docker_mount_cwd_to_workspace: false', 'TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE=true', false],
    ['ssh_disposable: false', 'TERMINAL_SSH_DISPOSABLE=true', false],
    ['container_memory: 512', 'TERMINAL_CONTAINER_MEMORY=9000', 512],
  ])('take the safer: %s, %s', (text, dotenv, expected) => {
    const given = { yaml: yaml(text), dotenv };
    const key = `terminal.${text.split(':')[0]}`;
    expect(value(given, key)).toEqual(expected);
    expect(resolve(given).overruled).toEqual([expect.stringContaining(key)]);
  });

  it('take the usual order where it is the safer one anyway, and for what is no isolation', () => {
    const given = {
      yaml: yaml('container_memory: 9000\n  timeout: 5'),
      dotenv: 'TERMINAL_CONTAINER_MEMORY=512\nTERMINAL_TIMEOUT=60\n',
    };
    expect(value(given, 'terminal.container_memory')).toBe(512);
    expect(value(given, 'terminal.timeout')).toBe(60);
    expect(resolve(given).overruled).toEqual([]);
  });
});

describe('P2: the network', () => {
  it('is closed unless the operator opens it', () => {
    expect(policyOf({ yaml: backend('docker') }).network).toEqual({
      value: 'none',
      origin: 'gateway.sandbox_network, default',
    });
    const yaml = 'terminal: { backend: docker }\ngateway: { sandbox_network: open }\n';
    expect(policyOf({ yaml }).network).toEqual({
      value: 'open',
      origin: 'gateway.sandbox_network, config.yaml:2',
    });
  });

  it('is what an owner switched the session to', () => {
    const yaml = backend('docker');
    expect(policyOf({ yaml }, { ...messaging, network: 'open' }).network.value).toBe('open');
    const open = 'terminal: { backend: docker }\ngateway: { sandbox_network: open }\n';
    expect(policyOf({ yaml: open }, { ...messaging, network: 'none' }).network.value).toBe('none');
  });

  it('is refused where it was to be closed by somebody’s word and cannot be', () => {
    const yaml = 'terminal: { backend: local }\ngateway: { sandbox_network: none }\n';
    expect(decide({ yaml })).toMatchObject({ kind: 'refused' });
    expect(decide({ yaml: backend('local') }, { ...messaging, network: 'none' })).toMatchObject({
      kind: 'refused',
    });
  });

  it('says that a backend without containment cannot close it', () => {
    expect(policyOf({ yaml: backend('local') }).network).toEqual({
      value: 'open',
      origin: 'the backend local cannot close it',
    });
  });

  it('follows the docker setting for the CLI', () => {
    expect(policyOf({ yaml: backend('docker') }, cli).network.value).toBe('open');
    const closed = 'terminal:\n  backend: docker\n  docker_network: none\n';
    expect(policyOf({ yaml: closed }, cli).network).toEqual({
      value: 'none',
      origin: 'terminal.docker_network, config.yaml:3',
    });
  });
});

describe('P2: everything else', () => {
  it('takes the image of the gateway, else that of the backend', () => {
    const yaml = 'terminal:\n  backend: docker\n  docker_image: one\n';
    expect(policyOf({ yaml }).image).toEqual({
      value: 'one',
      origin: 'terminal.docker_image, config.yaml:3',
    });
    expect(policyOf({ yaml: `${yaml}gateway: { sandbox_image: two }\n` }).image).toEqual({
      value: 'two',
      origin: 'gateway.sandbox_image, config.yaml:4',
    });
    expect(policyOf({ yaml: backend('bubblewrap') }).image.value).toBeNull();
  });

  it('gives messaging sessions no mount and no variable of the CLI', () => {
    const yaml =
      'terminal:\n  backend: docker\n  docker_volumes: ["/srv:/srv"]\n  docker_forward_env: [TOKEN]\n';
    expect(policyOf({ yaml })).toMatchObject({ mounts: { value: [] }, env: { value: [] } });
    const own = `${yaml}gateway:\n  sandbox_volumes: ["/data:/data:ro"]\n  sandbox_forward_env: [KEY]\n`;
    expect(policyOf({ yaml: own })).toMatchObject({
      mounts: { value: ['/data:/data:ro'] },
      env: { value: ['KEY'] },
    });
  });

  it('keeps the shell persistent everywhere but on local', () => {
    expect(policyOf({ yaml: backend('docker') }).persistentShell.value).toBe(true);
    expect(policyOf({ yaml: backend('local') }).persistentShell.value).toBe(false);
  });

  it('gives sudo its password where nothing is contained, to chats only when the operator says so', () => {
    const sudo = (name: string, more = '', traits?: typeof cli) =>
      policyOf({ yaml: `${backend(name)}\n${more}`, environment: { SUDO_PASSWORD: 'pw' } }, traits).sudo;
    expect(sudo('local', '', cli)).toMatchObject({ value: true });
    expect(sudo('local')).toMatchObject({ value: false, origin: 'gateway.sandbox_sudo, default' });
    expect(sudo('local', 'gateway: { sandbox_sudo: true }\n').value).toBe(true);
    expect(sudo('docker', 'gateway: { sandbox_sudo: true }\n', cli).value).toBe(false);
    expect(policyOf({ yaml: backend('local') }, cli).sudo.value).toBe(false);
  });

  it('has the lifetimes of its kind', () => {
    expect(policyOf({ yaml: backend('docker') }).lifetimeSeconds.value).toBe(3600);
    expect(policyOf({}, cli).lifetimeSeconds.value).toBe(300);
  });

  it('changes its hash with what shapes the sandbox, and with nothing else', () => {
    const hash = (yaml: string) => policyHash(policyOf({ yaml: `terminal:\n  backend: docker\n${yaml}` }));
    const base = hash('');
    for (const changed of [
      '  docker_image: x\n',
      '  container_memory: 64\n',
      'gateway: { sandbox_network: open }\n',
    ]) {
      expect(hash(changed)).not.toBe(base);
    }
    for (const same of ['  timeout: 5\n', 'gateway: { sandbox_lifetime: 5 }\n'])
      expect(hash(same)).toBe(base);
  });
});

describe('P2: for any configuration', () => {
  const name = fc.option(fc.constantFrom('auto', ...backendNames), { nil: undefined });
  const anyGiven = fc.record({
    gateway: name,
    common: name,
    variable: name,
    dotenv: name,
    gatewayVariable: name,
    gatewayDotenv: name,
    network: fc.option(fc.constantFrom('none', 'open'), { nil: undefined }),
  });
  const anySession = fc.record({
    kind: fc.constantFrom('messaging', 'cli'),
    network: fc.constantFrom<'none' | 'open' | null>('none', 'open', null),
  });
  const anyWorld = fc.option(fc.constantFrom(...backendNames), { nil: undefined }).map(recorded => ({
    ...fresh,
    recorded: recorded === undefined ? null : { name: recorded, chosenAt: 0 },
  }));
  const givenOf = ({
    gateway,
    common,
    variable,
    dotenv,
    gatewayVariable,
    gatewayDotenv,
    network,
  }: Partial<Record<string, string>>): Given => ({
    yaml: `terminal:\n  timeout: 180\n${common ? `  backend: ${common}\n` : ''}gateway:\n  sandbox_lifetime: 3600\n${gateway ? `  terminal_backend: ${gateway}\n` : ''}${network ? `  sandbox_network: ${network}\n` : ''}`,
    environment: {
      ...(variable ? { TERMINAL_ENV: variable } : {}),
      ...(gatewayVariable ? { GATEWAY_TERMINAL_BACKEND: gatewayVariable } : {}),
    },
    dotenv: `${dotenv ? `TERMINAL_ENV=${dotenv}\n` : ''}${gatewayDotenv ? `GATEWAY_TERMINAL_BACKEND=${gatewayDotenv}\n` : ''}`,
  });

  it('no isolated choice leads to a sandbox that isolates less', () => {
    fc.assert(
      fc.property(anyGiven, anySession, anyWorld, (given, session, world) => {
        const decision = decide(givenOf(given), session, world);
        if (decision.kind !== 'decided' || session.kind !== 'messaging') return;
        const { gatewayVariable, gatewayDotenv, variable, dotenv } = given;
        const overriding = gatewayVariable ?? gatewayDotenv;
        const chosen = given.gateway ?? given.common ?? overriding ?? variable ?? dotenv ?? 'auto';
        const wasIsolated = chosen === 'auto' || isIsolated(backendFacts[chosen].capabilities.isolation);
        if (wasIsolated) expect(isIsolated(decision.policy.isolation)).toBe(true);
        if (given.gateway && given.gateway !== 'auto' && !overriding)
          expect(decision.policy.backend.value).toBe(given.gateway);
        if (chosen === 'auto' && !variable && !dotenv && !overriding) {
          expect(autoOrder(backendFacts)).toContain(decision.policy.backend.value);
        }
      }),
      runs(500),
    );
  });

  it('no closed network is opened in a sandbox that isolates', () => {
    fc.assert(
      fc.property(anyGiven, anySession, anyWorld, (given, session, world) => {
        const decision = decide(givenOf(given), session, world);
        if (decision.kind !== 'decided' || session.kind !== 'messaging') return;
        const wanted = session.network ?? given.network ?? 'none';
        if (wanted === 'none' && isIsolated(decision.policy.isolation)) {
          expect(decision.policy.network.value).toBe('none');
        }
      }),
      runs(500),
    );
  });
});
