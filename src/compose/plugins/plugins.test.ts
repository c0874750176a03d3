// Which plugins are loaded, and which are refused.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../base/clock.ts';
import { createLog } from '../../base/log.ts';
import { type HermesConfig, loadHermesConfig, secretsOf } from '../../compose.ts';
import type { Platform, PlatformEvent } from '../../platforms/platform.ts';
import { openPlugins, pluginsOf, pluginWarnings } from './plugins.ts';

const CAPABILITIES =
  '{ maxText: 9, edits: false, editEveryMs: 0, buttons: false, maxButtonData: 0, typing: false, groups: false, threads: false, maxFileIn: 0, maxFileOut: 0, isPublic: false }';
const platformSource = (connect = 'async () => ({})'): string =>
  `export const createPlatform = (settings, { name }) => ({ name, capabilities: ${CAPABILITIES}, warnings: [JSON.stringify(settings)], connect: ${connect} });`;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hermes-plugins-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(name: string, source: string): string {
  const path = join(home, name);
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(path, source, { mode: 0o600 });
  return path;
}

function configOf(plugins: readonly object[], more: Record<string, string> = {}): Promise<HermesConfig> {
  return loadHermesConfig({ HERMES_HOME: home, GATEWAY_PLUGINS: JSON.stringify(plugins), ...more });
}

async function open(module: string, more?: Record<string, string>): Promise<Platform | undefined> {
  const log = createLog({ level: 'silent', destination: { write() {} }, redact: text => text, now: () => 0 });
  const config = await configOf([{ name: 'my-chat', module }], more);
  const [platform] = await openPlugins(config, { clock: systemClock, log });
  return platform;
}

const options = { receive: async () => {}, onState: () => {} };
const problem = async (module: string): Promise<string> => {
  const platform = await open(module);
  const error = await platform?.connect(options).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
  return String(error);
};

describe('a plugin', () => {
  it('is loaded by its path, and given its own variables only', async () => {
    const module = write('my-chat.mjs', platformSource());
    const platform = await open(module, { MY_CHAT_TOKEN: 'abc', MY_CHATTER: 'no', OTHER: 'no' });
    expect(platform?.name).toBe('my-chat');
    expect(platform?.warnings).toEqual(['{"MY_CHAT_TOKEN":"abc"}']);
  });

  it.each([
    ['exports', { exports: { '.': { import: './here.mjs' } } }],
    ['main', { main: 'here.mjs' }],
  ])('is loaded as a package of the home, by its %s', async (_, manifest) => {
    write('node_modules/@me/chat/package.json', JSON.stringify({ name: '@me/chat', ...manifest }));
    write('node_modules/@me/chat/here.mjs', platformSource());
    expect((await open('@me/chat'))?.name).toBe('my-chat');
  });

  it('has its variables hidden, but for who may speak', async () => {
    const config = await configOf([{ name: 'my-chat', module: '/x' }], {
      MY_CHAT_TOKEN: 'hidden-token',
      MY_CHAT_ALLOWED_USERS: 'ada,bob',
    });
    expect(secretsOf(config)).toContain('hidden-token');
    expect(secretsOf(config)).not.toContain('ada,bob');
  });

  it('is named at the start', async () => {
    const config = await configOf([{ name: 'my-chat', module: '/opt/my-chat.mjs' }]);
    expect(pluginWarnings(config).join()).toMatch(/my-chat \(\/opt\/my-chat\.mjs\) runs with all rights/);
  });

  it('that is not set up is none', async () => {
    expect(await open(write('a.mjs', 'export const createPlatform = () => undefined;'))).toBeUndefined();
  });
});

describe('a name', () => {
  it.each([
    ['of a platform', [{ name: 'telegram', module: '/x' }]],
    ['that is there twice', ['/x', '/y'].map(module => ({ name: 'my-chat', module }))],
  ])('%s is refused', async (_, plugins) => {
    const config = await configOf(plugins);
    expect(() => pluginsOf(config)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  it.each(['My-Chat', '../x', 'gateway.x', ''])('%j is no name', async name => {
    await expect(configOf([{ name, module: '/x' }])).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('must be the one that the plugin uses', async () => {
    const module = write('a.mjs', platformSource().replace('({ name,', '({ name: "telegram",'));
    expect(await problem(module)).toMatch(/calls itself telegram/);
  });
});

describe('it is not loaded', () => {
  it('when others can write to it, or to its folder', async () => {
    const module = write('code/a.mjs', platformSource());
    chmodSync(module, 0o666);
    expect(await problem(module)).toContain(`chmod go-w ${module}`);
    chmodSync(module, 0o600);
    chmodSync(join(home, 'code'), 0o777);
    expect(await problem(module)).toContain(`chmod go-w ${join(home, 'code')}`);
  });

  it('when others can put another folder in the place of one above it', async () => {
    const module = write('open/code/a.mjs', platformSource());
    chmodSync(join(home, 'open'), 0o777);
    expect(await problem(module)).toContain(`chmod go-w ${join(home, 'open')}`);
    // As /tmp is: everybody may make something there, and nobody may touch what is another's.
    chmodSync(join(home, 'open'), 0o1777);
    expect((await open(module))?.warnings).toEqual(['{}']);
  });

  it.each([
    ['its module', 'await new Promise(() => {}); export const createPlatform = () => undefined;'],
    ['createPlatform', 'export const createPlatform = () => new Promise(() => {});'],
  ])('when %s does not come to an end; nobody waits for it', async (_, source) => {
    const module = write('a.mjs', source);
    const config = await configOf([{ name: 'my-chat', module }]);
    const log = createLog({
      level: 'silent',
      destination: { write() {} },
      redact: text => text,
      now: () => 0,
    });
    const hasty: Clock = { ...systemClock, after: (ms, fire) => systemClock.after(ms / 100, fire) };
    const [platform] = await openPlugins(config, { clock: hasty, log });
    await expect(platform?.connect(options)).rejects.toThrow(/my-chat.*within 10 s/);
  });

  it('when it is not there', async () => {
    expect(await problem('/nonexistent/a.mjs')).toContain('there is no /nonexistent/a.mjs');
    expect(await problem('no-such-package')).toContain('npm install --prefix');
  });

  it.each(['./a.mjs', '../a.mjs', 'https://example.org/a.mjs', 'data:text/javascript,1', 'node:fs'])(
    'from %s',
    async module => {
      await expect(configOf([{ name: 'my-chat', module }])).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    },
  );
});

describe('what it gives', () => {
  it.each([
    ['a number for a sender', { sender: { id: 12, name: 'x' } }],
    ['no text', { text: undefined }],
    ['a chat without an id', { chat: { id: '', kind: 'private' } }],
  ])('is no event with %s, and is not received', async (_, change) => {
    const event = {
      ...{ kind: 'message', id: '1', text: 'hi', files: [], isAddressed: true },
      ...{ chat: { id: 'a', kind: 'private' }, sender: { id: 'a', name: 'a' } },
      ...change,
    };
    const source = `async ({ receive }) => { await receive(${JSON.stringify(event)}); }`;
    const platform = await open(write('a.mjs', platformSource(source)));
    const received: PlatformEvent[] = [];
    const work = platform?.connect({ ...options, receive: async each => void received.push(each) });
    await expect(work).rejects.toThrow(/no event/);
    expect(received).toEqual([]);
  });

  it.each(['"ada"', '[12]', 'undefined'])('is no list of ids as %s', async ids => {
    const source = platformSource().replace('({ name,', `({ sameAs: async () => ${ids}, name,`);
    const platform = await open(write('a.mjs', source));
    await expect(platform?.sameAs?.('bob')).rejects.toThrow(/no list of ids/);
  });

  it('is no connection without its methods', async () => {
    const platform = await open(write('a.mjs', platformSource()));
    await expect(platform?.connect(options)).rejects.toThrow(/no connection \(account/);
  });
});
