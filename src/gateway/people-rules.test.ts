// What the configuration says about people.
import { describe, expect, it } from 'vitest';
import { loadHermesConfig } from '../compose.ts';
import { peopleWarnings, platformPeople } from './people-rules.ts';

const load = (environment: Record<string, string>, flags: Record<string, string> = {}) =>
  loadHermesConfig(
    { HERMES_HOME: '/nonexistent', ...environment },
    Object.fromEntries(Object.entries(flags).map(([key, text]) => [key, { flag: '--set', text }])),
  );
const telegram = { name: 'telegram', capabilities: { isPublic: true } };
const hidden = { name: 'signal', capabilities: { isPublic: false } };

describe('people in the configuration', () => {
  it('are those of the allowlist variables', async () => {
    const config = await load({
      TELEGRAM_ALLOWED_USERS: '1, 2',
      GATEWAY_ALLOWED_USERS: 'signal:+49',
      DISCORD_ALLOW_ALL_USERS: 'true',
    });
    expect(platformPeople(config, 'telegram')).toEqual({
      allowAll: false,
      allowAllEverywhere: false,
      allowed: ['1', '2'],
      allowedEverywhere: ['signal:+49'],
      strangers: 'pair',
    });
    expect(platformPeople(config, 'discord')).toMatchObject({ allowAll: true, allowed: [] });
  });

  it('are those of the variables alone for a platform of a plugin', async () => {
    const config = await load({ MY_CHAT_ALLOWED_USERS: 'ada, bob', GATEWAY_ALLOWED_USERS: 'my-chat:eve' });
    expect(platformPeople(config, 'my-chat')).toEqual({
      allowAll: false,
      allowAllEverywhere: false,
      allowed: ['ada', 'bob'],
      allowedEverywhere: ['my-chat:eve'],
      strangers: 'pair',
    });
    expect(platformPeople(await load({ MY_CHAT_ALLOW_ALL_USERS: 'true' }), 'my-chat').allowAll).toBe(true);
  });

  it('lets a platform have its own way with strangers', async () => {
    const config = await load(
      {},
      { unauthorized_dm_behavior: 'ignore', 'telegram.unauthorized_dm_behavior': 'pair' },
    );
    expect(platformPeople(config, 'telegram').strangers).toBe('pair');
    expect(platformPeople(config, 'discord').strangers).toBe('ignore');
  });

  it('warns of letting everybody in where strangers can come, and names the setting', async () => {
    expect(peopleWarnings(await load({}), [telegram, hidden])).toEqual([]);
    const own = await load({ TELEGRAM_ALLOW_ALL_USERS: 'true', SIGNAL_ALLOW_ALL_USERS: 'true' });
    expect(peopleWarnings(own, [telegram, hidden])).toEqual([
      expect.stringContaining('telegram.allow_all_users is true'),
    ]);
    const all = await load({ GATEWAY_ALLOW_ALL_USERS: 'true' });
    expect(peopleWarnings(all, [telegram])).toEqual([
      expect.stringContaining('gateway.allow_all_users is true'),
    ]);
  });

  it('warns of bare ids in the list of the gateway, and says what to write', async () => {
    const config = await load({ GATEWAY_ALLOWED_USERS: '12,telegram:34,a@b' });
    expect(peopleWarnings(config, [telegram, hidden])).toEqual([
      'gateway.allowed_users lets in nobody by 12, a@b: an id belongs to one platform. Write telegram:12, or signal:12; or put it into telegram.allowed_users.',
    ]);
    expect(peopleWarnings(await load({ GATEWAY_ALLOWED_USERS: 'telegram:34' }), [telegram])).toEqual([]);
  });
});
