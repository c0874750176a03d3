// Platforms of the user's own: the example of the docs is compiled and goes the whole way, and a faulty one harms no other.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { startGateway } from '../scenario/stage.ts';
import { hermesAt } from '../sessions/hermes.ts';
import { column, exampleSource } from './plugin-example.ts';
import { platformScenario } from './scenario-of.ts';

const root = join(import.meta.dirname, '../../..');

async function folder(): Promise<string> {
  const made = await mkdtemp(join(homedir(), '.hermes-plugins-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

platformScenario(column);

it('the example of the docs compiles as strictly as Hermes does', async () => {
  const place = await folder();
  await writeFile(join(place, 'folder-chat.mts'), await exampleSource());
  await writeFile(join(place, 'hermes-gateway.mts'), await publicTypes());
  const compilerOptions = {
    paths: { 'hermes-gateway': ['./hermes-gateway.mts'] },
    typeRoots: [join(root, 'node_modules/@types')],
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
  };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.mts'], exclude: [] };
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const compiled = await promisify(execFile)(process.execPath, [tsc, '-p', place]).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');
});

/** What the package exports of platforms, and nothing of the rest, which would take long to compile. */
async function publicTypes(): Promise<string> {
  const index = await readFile(join(root, 'src/index.ts'), 'utf8');
  const exported = index.match(/^export type \{[^}]*\} from '\.\/(?:platforms|base)\/[^']*';$/gm) ?? [];
  return exported.join('\n').replaceAll("from './", `from '${join(root, 'src')}/`);
}

const CAPABILITIES =
  '{ maxText: 1, edits: false, editEveryMs: 0, buttons: false, maxButtonData: 0, typing: false, groups: false, threads: false, maxFileIn: 0, maxFileOut: 0, isPublic: false }';
const connecting = (how: string): string =>
  `export const createPlatform = (_, { name }) => ({ name, capabilities: ${CAPABILITIES}, connect: ${how} });`;

/** A gateway with Telegram and what else is set up; answers somebody there, and says what it thinks of its platforms. */
async function serve(place: string, more: Readonly<Record<string, string>>) {
  const telegram = await startTelegram();
  onTestFinished(() => telegram.close());
  const environment = {
    GATEWAY_TERMINAL_BACKEND: 'local',
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    ...more,
  };
  const { PATH, TMPDIR, HERMES_TEST_RUN, HERMES_TEST_FILE } = process.env;
  const passed = { PATH, TMPDIR, HERMES_TEST_RUN, HERMES_TEST_FILE, HOME: place, NO_COLOR: '1' };
  let stderr = '';
  const words = ['gateway', 'start', '--json', '--set=gateway.http_port=0'];
  const gateway = await startGateway(words, { ...passed, HERMES_HOME: place, ...environment }, text => {
    stderr += text;
  });
  onTestFinished(() => gateway.end('SIGTERM'));
  const status = (await hermesAt(place, environment).json('gateway', 'status')) as {
    gateway: { platforms: readonly { name: string; state: string; reason?: string }[] };
  }; // our own program's
  const shown = Object.fromEntries(
    status.gateway.platforms.map(({ name, state, reason = '' }) => [name, `${state}: ${reason}`]),
  );
  telegram.say(42, 'hello');
  await telegram.whenSent(({ chat }) => chat === '42');
  return { stderr, shown };
}

it('a faulty plugin says what is wrong with it, and the other platforms serve', {
  timeout: 60_000,
}, async () => {
  const place = await folder();
  const faulty: Readonly<Record<string, string>> = {
    'throws-at-once': 'throw new Error("out of cheese");',
    'no-export': 'export const other = 1;',
    'no-platform': 'export const createPlatform = () => ({ name: "no-platform" });',
    'throws-later': connecting('async () => { throw new Error("no wire") }'),
    'never-connects': connecting('() => new Promise(() => {})'),
  };
  for (const [name, source] of Object.entries(faulty)) {
    await writeFile(join(place, `${name}.mjs`), source, { mode: 0o600 });
  }
  const entries = [...Object.keys(faulty), 'not-there'].map(name => ({
    name,
    module: join(place, `${name}.mjs`),
  }));
  const { stderr, shown } = await serve(place, { GATEWAY_PLUGINS: JSON.stringify(entries) });
  expect(stderr).toContain(`The plugin no-export (${join(place, 'no-export.mjs')}) runs with all rights`);
  expect(shown).toMatchObject({
    telegram: expect.stringContaining('connected'),
    'throws-at-once': expect.stringMatching(/^failed: The plugin throws-at-once .* out of cheese/),
    'no-export': expect.stringMatching(/^failed: .* does not export a function createPlatform/),
    'no-platform': expect.stringMatching(/^failed: .* returns no platform .*capabilities/),
    'throws-later': expect.stringMatching(/^failed: .*no wire/),
    'never-connects': expect.stringMatching(/^connecting/),
    'not-there': expect.stringMatching(/^failed: .* there is no /),
  });
});

it('a platform that is set up in half says so, and the others serve', async () => {
  const { shown } = await serve(await folder(), { SLACK_BOT_TOKEN: 'xoxb-1-a' });
  expect(shown).toMatchObject({
    telegram: expect.stringContaining('connected'),
    slack: expect.stringMatching(/^failed: .*slack\.app_token/),
  });
});
