import { describe, expect, it } from 'vitest';
import { sections } from '../../compose.ts';
import { allSettings } from '../load.ts';
import { misplaced } from '../misplaced.ts';
import { keyFacts, variableFacts } from './facts.ts';
import { readModel } from './model.ts';

const settings = allSettings(sections);
const variables = new Set(Object.values(settings).flatMap(({ env }) => env ?? []));

describe('what is known of the original', () => {
  it('leads to settings and variables that exist', () => {
    const keys = keyFacts.filter(({ fate }) => fate === 'same' || fate === 'translated');
    expect(keys.map(({ name, to }) => to ?? name).filter(key => !(key in settings))).toEqual([]);
    const named = variableFacts.filter(({ fate }) => fate === 'same' || fate === 'translated');
    const unknown = named.map(({ name, to }) => to ?? name).filter(name => !variables.has(name));
    expect(unknown).toEqual(['HERMES_HOME']);
  });

  it('calls no setting foreign, and names everything once', () => {
    const others = keyFacts.filter(({ fate }) => fate === 'foreign' || fate === 'different');
    expect(others.map(({ name }) => name).filter(name => name in settings)).toEqual([]);
    for (const names of [keyFacts.map(({ name }) => name), variableFacts.map(({ name }) => name)])
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

describe('a key in the wrong place', () => {
  it.each([
    ['terminal_backend', 'gateway.terminal_backend'],
    ['terminal.terminal_backend', 'gateway.terminal_backend'],
    ['terminal.sandbox_image', 'gateway.sandbox_image'],
    ['gateway.docker_image', 'terminal.docker_image'],
    ['TERMINAL_ENV', 'terminal.backend'],
    ['terminal.mode', undefined],
  ])('%s belongs to %s', (key, expected) => {
    expect(misplaced(key.split('.'), settings)).toBe(expected);
  });
});

describe('the model of the original', () => {
  it('is ours already, and left as it is', () => {
    expect(readModel({ provider: 'anthropic', name: 'x' })).toBeUndefined();
  });

  it('with an address is read as ours, and a key goes only to the server that it belongs to', () => {
    const own = readModel({ default: 'm', provider: 'custom', base_url: 'http://127.0.0.1:1/v1' });
    expect(own?.settings).toEqual({
      'model.name': 'm',
      'model.provider': 'openai-compatible',
      'model.base_url': 'http://127.0.0.1:1/v1',
    });
    const near = readModel({ default: 'm', base_url: 'https://openrouter.ai.example.org/v1' });
    expect(near?.settings).not.toHaveProperty('model.api_key_env');
  });

  it.each([
    { default: 'm' },
    { default: 'm', provider: 'nous' },
    { default: 'm', provider: 'copilot', base_url: 'https://x.example' },
  ])('of a server that is not known is not connected: %j', section => {
    expect(readModel(section)).toMatchObject({
      settings: {},
      refused: expect.stringContaining('hermes model set'),
    });
  });
});
