import { describe, expect, it } from 'vitest';
import { text } from '../base/kinds.ts';
import { optional, setting } from '../base/setting.ts';
import { connectablePlatforms, credentialsIn } from './credentials.ts';

describe('what a platform needs before it can be used', () => {
  it('are the settings without which it is off, and those that say nothing of what happens without them', () => {
    const settings = {
      'x.token': optional(text(), { env: 'X_TOKEN', secret: true, unset: 'the platform is off', doc: 'a' }),
      'x.number': optional(text(), { doc: 'b' }),
      'x.template': optional(text(), { unset: 'nothing is sent later', doc: 'c' }),
      'x.address': setting(text(), { default: 'https://x.example', doc: 'd' }),
    };
    expect(credentialsIn(settings)).toEqual([
      { key: 'x.token', variable: 'X_TOKEN', isSecret: true, doc: 'a' },
      { key: 'x.number', variable: undefined, isSecret: false, doc: 'b' },
    ]);
  });

  it('is known of every platform with an account elsewhere, and of no other', () => {
    const found = connectablePlatforms();
    expect(found.map(({ name }) => name)).toContain('telegram');
    expect(found.map(({ name }) => name)).not.toContain('web');
    for (const { name, credentials } of found)
      for (const { key, variable } of credentials)
        expect([key.startsWith(`${name}.`), variable]).toEqual([true, expect.any(String)]);
  });
});
