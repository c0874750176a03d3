// `hermes people` and `hermes pairing` as the operator uses them, beside a gateway and without one.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hashCode } from '../../../src/gateway/pairing-code.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { callHermes } from '../call-hermes.ts';
import type { Ended } from '../run-program.ts';
import { message } from './front-door.ts';

const CODE = 'K7QM2XWP';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Home {
  readonly hermes: (words: string, env?: Record<string, string>) => Promise<Ended>;
  readonly store: () => Promise<Store>;
}

async function makeHome(): Promise<Home> {
  const home = await mkdtemp(join(tmpdir(), 'people-'));
  closers.push(() => rm(home, { recursive: true }));
  return {
    hermes: (words, env = {}) => callHermes(words.split(' '), { env: { HERMES_HOME: home, ...env } }),
    async store() {
      const store = await openStore(home);
      closers.push(() => store.close());
      return store;
    },
  };
}

async function ask(store: Store, userId: string, text: string): Promise<void> {
  await store.pairings.ask({
    ...{ platform: 'telegram', userId, name: 'Ann\u001b[31m', codeHash: await hashCode(CODE) },
    ...{ event: message(userId, text), expiresAt: Date.now() + 3_600_000 },
  });
}

const audited = async (store: Store) =>
  (await store.audit.list({ limit: 99 })).map(
    ({ actor, subject, outcome }) => `${actor} ${subject} ${outcome}`,
  );

describe('hermes people', () => {
  it('lets in, keeps out, gives roles and forgets, from an empty home on', async () => {
    const { hermes, store: open } = await makeHome();
    expect((await hermes('people list')).stdout).toBe('Nobody has been let in or kept out yet.\n');
    expect(await hermes('people allow telegram:123')).toMatchObject({
      code: 0,
      stdout: 'telegram:123 may talk to the agent, as user.\n',
    });
    expect((await hermes('people role telegram:123 owner')).stdout).toBe('telegram:123 is owner now.\n');
    expect((await hermes('people allow telegram:123')).stdout).toContain('as owner');
    const store = await open();
    const person = { platform: 'telegram', userId: '123' };
    expect(await store.people.find(person)).toMatchObject({ role: 'owner', standing: 'allowed' });

    await hermes('people deny telegram:123');
    expect(await store.people.find(person)).toMatchObject({ role: 'user', standing: 'denied' });
    const refused = await hermes('people role telegram:123 owner');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('hermes people allow telegram:123'),
    ]);

    const listed = JSON.parse((await hermes('people list --json')).stdout);
    expect(listed.people).toMatchObject([{ platform: 'telegram', userId: '123', standing: 'denied' }]);
    expect((await hermes('people forget telegram:123')).stdout).toBe('telegram:123 is a stranger again.\n');
    expect((await hermes('people forget telegram:123')).code).toBe(2);
    expect(await audited(store)).toEqual([
      'cli telegram:123 user',
      'cli telegram:123 owner',
      'cli telegram:123 owner',
      'cli telegram:123 denied',
      'cli telegram:123 forgotten',
    ]);
  });

  it.each([
    ['people allow 123', 'PLATFORM:ID'],
    ['people allow telegrm:123', 'Did you mean telegram?'],
    ['people deny telegram:', 'PLATFORM:ID'],
    ['people role telegram:123 boss', 'owner'],
    ['pairing approve myspace K7QM2XWP', 'There is no platform'],
  ])('refuses `hermes %s`', async (words, said) => {
    const { hermes } = await makeHome();
    const { code, stderr } = await hermes(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it('says when the configuration lets somebody in all the same, and lists whom it lets in', async () => {
    const { hermes } = await makeHome();
    const env = { TELEGRAM_ALLOWED_USERS: '123,124', DISCORD_ALLOW_ALL_USERS: 'true' };
    await hermes('people deny telegram:123');
    expect((await hermes('people forget telegram:123', env)).stdout).toContain('telegram.allowed_users');
    const { stdout } = await hermes('people list', env);
    expect(stdout).toContain('telegram.allowed_users: 123, 124');
    expect(stdout).toContain('discord.allow_all_users is true');
  });

  it('fits into 80 columns, whatever people are called', async () => {
    const { hermes, store: open } = await makeHome();
    const store = await open();
    const decision = { role: 'user', standing: 'allowed', decidedBy: 'telegram:99999999999' } as const;
    for (const userId of ['1', '+4915112345678', `${'long'.repeat(40)}@s.whatsapp.net`])
      await store.people.decide({ platform: 'whatsapp', userId, name: 'N\u202e'.repeat(80), ...decision });
    await ask(store, '7'.repeat(60), 'hello\n\u001b[31mred '.repeat(50));
    const listed = {
      TELEGRAM_ALLOWED_USERS: Array.from({ length: 60 }, (_, at) => 1_000_000 + at).join(','),
    };
    for (const words of ['people list', 'pairing list']) {
      const { stdout } = await hermes(words, listed);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
      expect(stdout).not.toContain('\u001b');
    }
  });
});

describe('hermes pairing', () => {
  it('shows who is waiting, and lets them in by their code; the held message waits for the gateway', async () => {
    const { hermes, store: open } = await makeHome();
    const store = await open();
    await ask(store, '66', 'what is 2 + 2?');
    expect((await hermes('pairing list')).stdout).toMatch(/telegram:66 .*what is 2 \+ 2\?/);
    const { stdout } = await hermes('pairing list --json');
    expect(JSON.parse(stdout).pending).toMatchObject([{ userId: '66' }]);
    expect(stdout).not.toContain('codeHash');
    expect(await hermes(`pairing approve telegram ${CODE.toLowerCase()}`)).toMatchObject({
      code: 0,
      stdout: 'telegram:66 (Ann) may talk to the agent.\n',
    });
    expect(await store.pairings.approved()).toMatchObject([{ event: { text: 'what is 2 + 2?' } }]);
    expect((await hermes('pairing revoke telegram:66')).stdout).toBe('telegram:66 is a stranger again.\n');
    expect(await store.people.list()).toEqual([]);
    expect(await audited(store)).toEqual(['cli telegram:66 approved', 'cli telegram:66 revoked']);
  });

  it('locks after five wrong codes, for the right one too', async () => {
    const { hermes, store: open } = await makeHome();
    const store = await open();
    await ask(store, '66', 'hi');
    for (const left of [4, 3, 2, 1]) {
      const { code, stderr } = await hermes('pairing approve telegram AAAAAAAA');
      expect([code, stderr]).toEqual([2, expect.stringContaining(`Tries left: ${left}`)]);
    }
    expect((await hermes('pairing approve telegram AAAAAAAA')).stderr).toContain('is locked until');
    const { code, stderr } = await hermes(`pairing approve telegram ${CODE}`);
    expect([code, stderr]).toEqual([77, expect.stringContaining('is locked until')]);
    expect((await hermes('pairing list')).stdout).toContain('telegram: approving is locked until');
    expect(await store.people.list()).toEqual([]);
    expect((await hermes('people allow telegram:66')).code).toBe(0);
    expect(await store.pairings.approved()).toHaveLength(1);
  });

  it('forgets all requests', async () => {
    const { hermes, store: open } = await makeHome();
    const store = await open();
    for (const id of ['66', '67']) await ask(store, id, 'hi');
    expect((await hermes('pairing clear-pending')).stdout).toBe('2 requests are forgotten.\n');
    expect((await hermes('pairing list')).stdout).toBe('Nobody is waiting to be let in.\n');
    expect(await store.people.list()).toEqual([]);
  });
});
