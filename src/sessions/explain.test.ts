import { describe, expect, it } from 'vitest';
import { backendFacts } from '../backends/index.generated.ts';
import { section as terminal } from '../backends/settings.ts';
import type { Setting } from '../base/setting.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import { type ExplainInput, explainSandbox } from './explain.ts';
import { policyHash, resolveSandboxPolicy } from './policy.ts';
import type { PolicyConfig } from './policy-input.ts';
import { section } from './settings.ts';

type Values = Readonly<Record<string, unknown>>;

/** As if config.yaml said so, each on its own line. */
function configOf(values: Values): PolicyConfig {
  const settings: Readonly<Record<string, Setting<unknown>>> = { ...terminal.settings, ...section.settings };
  const keys = Object.keys(values);
  const origin = (key: string) =>
    key in values
      ? ({ from: 'file', file: 'config.yaml', line: keys.indexOf(key) + 1 } as const)
      : ({ from: 'default' } as const);
  const get = (key: string) => (key in values ? values[key] : settings[key]?.default);
  const config = {
    get,
    origin,
    stated: (key: string) => (key in values ? [{ value: values[key], origin: origin(key) }] : []),
    entries: () => [],
  };
  return config as unknown as PolicyConfig; // its keys are narrower than text
}

function explain(values: Values, rest: Partial<ExplainInput> = {}) {
  const world = { backends: backendFacts, recorded: null };
  return explainSandbox({ config: configOf(values), session: { kind: 'messaging' }, world, ...rest });
}

function sandboxMadeWith(values: Values): LedgerEntry {
  const world = { backends: backendFacts, recorded: null };
  const decision = resolveSandboxPolicy(configOf(values), { kind: 'messaging' }, world);
  if (decision.kind !== 'decided') throw new Error(decision.kind);
  const policy: unknown = JSON.parse(JSON.stringify(decision.policy));
  // The explanation reads no other column.
  return { id: 'a', state: 'ready', policy, policyHash: policyHash(decision.policy) } as LedgerEntry;
}

const docker = { 'gateway.terminal_backend': 'docker' };
const modal = { 'gateway.terminal_backend': 'modal', 'terminal.modal_network': 'open' };

describe('exposures', () => {
  it.each<[Values, RegExp[]]>([
    [docker, []],
    [{ ...docker, 'gateway.sandbox_network': 'open' }, [/network/]],
    [{ ...docker, 'gateway.sandbox_volumes': ['/a:/b', '/c:/d:ro'] }, [/changed: \/a/, /read: \/c/]],
    [{ ...docker, 'gateway.sandbox_forward_env': ['TOKEN'] }, [/values of TOKEN/]],
    [{ ...modal }, []],
    [{ ...modal, 'gateway.sandbox_network': 'open' }, [/network: .* the internet, from a machine of modal/]],
    [{ 'gateway.terminal_backend': 'local' }, [/This machine itself/]],
    [{ 'gateway.terminal_backend': 'ssh' }, [/Another machine/]],
  ])('of %j', (values, expected) => {
    expect(explain(values).exposures).toEqual(expected.map(pattern => expect.stringMatching(pattern)));
  });
});

it('names the setting behind every part', () => {
  const { backend, network, mounts } = explain({ ...docker, 'gateway.sandbox_network': 'open' });
  expect(backend).toEqual({ value: 'docker', origin: 'gateway.terminal_backend, config.yaml:1' });
  expect(network).toEqual({ value: 'open', origin: 'gateway.sandbox_network, config.yaml:2' });
  expect(mounts).toEqual({ value: [], origin: 'gateway.sandbox_volumes, default' });
});

it('says of an open `auto` what it will try, and what depends on it', () => {
  const { decision, backend, network, image } = explain({ 'gateway.sandbox_image': 'one' });
  expect({ decision, backend }).toEqual({
    decision: 'undecided',
    backend: { value: 'auto', origin: 'default', among: ['docker', 'bubblewrap'] },
  });
  expect(network.value).toBe('none');
  expect(image).toMatchObject({
    value: null,
    ifChosen: { docker: { value: 'one' }, bubblewrap: { value: null } },
  });
});

it('answers with the refusal where nothing would run', () => {
  const { decision, refusal, backend } = explain({
    'gateway.terminal_backend': 'local',
    'gateway.sandbox_network': 'none',
  });
  expect({ decision, value: backend.value }).toEqual({ decision: 'refused', value: null });
  expect(refusal?.reason).toContain('cannot make it so');
});

describe('drift', () => {
  it('is not there as long as the settings are the same', () => {
    expect(explain(docker, { entry: sandboxMadeWith(docker) }).sandbox).toEqual({
      id: 'a',
      state: 'ready',
      hasDrifted: false,
      drift: [],
    });
  });

  it('names what has changed', () => {
    const now = { ...docker, 'gateway.sandbox_network': 'open', 'gateway.sandbox_lifetime': 5 };
    expect(explain(now, { entry: sandboxMadeWith(docker) }).sandbox).toMatchObject({
      hasDrifted: true,
      drift: [{ part: 'network', was: 'none', is: 'open' }],
    });
  });

  it('comes also from a switch of the session alone', () => {
    const session = { kind: 'messaging', network: 'open' } as const;
    const { network, sandbox } = explain(docker, { session, entry: sandboxMadeWith(docker) });
    expect(network.origin).toBe('switched for this session');
    expect(sandbox?.hasDrifted).toBe(true);
  });
});
