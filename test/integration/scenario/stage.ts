// A whole installation as an operator has it: `hermes gateway start` in a process of its own, Telegram and a model as
// doubles on loopback, real sandboxes, and canaries on the host that must never be seen anywhere.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { type ModelServer, type Script, startModelServer } from '../../doubles/model-server.ts';
import { type SentMessage, startTelegram, type TelegramDouble } from '../../doubles/telegram-server.ts';
import { PATIENCE_MS, within } from '../../wait.ts';
import { isFinished } from '../gateway/is-finished.ts';
import { type Beside, hermesAt } from '../sessions/hermes.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');

export const OWNER = { id: 1001, name: 'Olga' };

export interface Canaries {
  /** In a key file of the user who runs the gateway. */
  readonly file: string;
  /** In the environment of the gateway. */
  readonly variable: string;
}

export interface Stage {
  readonly telegram: TelegramDouble;
  readonly model: ModelServer;
  readonly canaries: Canaries;
  readonly userHome: string;
  /** Beside the gateway, on the same home. */
  readonly cli: Beside;
  /** What the gateway printed so far. */
  readonly stderr: () => string;
  /** Everything that left the gateway: to the model, to the chats, to the log and to its terminal. */
  everythingOut(): Promise<string>;
  /** Says it and resolves with the answer: the first message of the bot in that chat afterwards that is finished and fits. */
  ask(text: string, fits: (message: SentMessage) => boolean, from?: { id: number }): Promise<SentMessage>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface StageOptions {
  readonly script: Script;
  readonly environment: Readonly<Record<string, string>>;
  readonly config?: string;
  /** Who may speak from the beginning; the owner claims the installation. */
  readonly users?: readonly number[];
}

export async function openStage({
  script,
  environment,
  config = '',
  users = [],
}: StageOptions): Promise<Stage> {
  const home = await mkdtemp(join(homedir(), '.hermes-scenario-'));
  const userHome = join(home, 'user');
  const canaries = { file: canary(), variable: canary() };
  await mkdir(join(userHome, '.ssh'), { recursive: true });
  await writeFile(join(userHome, '.ssh', 'id_ed25519'), `${canaries.file}\n`, { mode: 0o600 });
  await writeFile(join(home, 'config.yaml'), config);
  const [telegram, model] = await Promise.all([startTelegram(), startModelServer(script)]);
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: process.env['TMPDIR'],
    HERMES_TEST_RUN: process.env['HERMES_TEST_RUN'],
    HERMES_TEST_FILE: process.env['HERMES_TEST_FILE'],
    HOME: userHome,
    HERMES_HOME: home,
    CANARY: canaries.variable,
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    TELEGRAM_ALLOWED_USERS: users.join(','),
    NO_COLOR: '1',
    ...environment,
  };
  const settings = [
    '--set=gateway.http_port=0',
    `--set=model.base_url=${model.openAiUrl}`,
    '--set=model.name=test-model',
  ];
  let running: Running | undefined;
  let stderr = '';
  const start = async (): Promise<void> => {
    running = await startGateway(['gateway', 'start', '--json', ...settings], env, text => {
      stderr += text;
    });
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    await running?.end(signal);
    running = undefined;
  };
  onTestFinished(async () => {
    await stop('SIGTERM');
    await destroyAll(hermesAt(home, environment));
    await Promise.all([telegram.close(), model.stop()]);
    await rm(home, { recursive: true, force: true });
  });
  await start();
  const [greeting = ''] = running?.greeting ?? [];
  const ask: Stage['ask'] = async (text, fits, from = OWNER) => {
    const before = telegram.sent.length;
    telegram.say(from, text);
    const isIts = (message: SentMessage): boolean =>
      message.chat === String(from.id) && telegram.sent.indexOf(message) >= before && isFinished(message);
    return telegram.whenSent(message => isIts(message) && fits(message), { timeoutMs: PATIENCE_MS });
  };
  await ask(`/claim ${/\/claim (\w+)/.exec(greeting)?.[1]}`, () => true);
  return {
    ...{ telegram, model, canaries, userHome, ask, start },
    cli: hermesAt(home, environment),
    stderr: () => stderr,
    kill: () => stop('SIGKILL'),
    async everythingOut() {
      const log = await readFile(join(home, 'logs', 'gateway.log'), 'utf8');
      const asked = model.requests.map(({ body }) => JSON.stringify(body));
      const said = telegram.sent.map(({ versions, file }) =>
        [...versions, Buffer.from(file?.bytes ?? []).toString('latin1')].join('\n'),
      );
      return [...asked, ...said, log, stderr].join('\n');
    },
  };
}

export async function destroyAll(cli: Beside): Promise<void> {
  const listed = (await cli.json('sandbox', 'list')) as { sandboxes: readonly { id: string }[] }; // our own program's
  for (const { id } of listed.sandboxes) await cli.run(['sandbox', 'destroy', id]);
}

/** Looks like nothing in particular, so that only its own value can give it away. */
function canary(): string {
  return `canary ${randomBytes(9).toString('hex')} of the host`;
}

export interface Running {
  readonly greeting: readonly string[];
  end(signal: NodeJS.Signals): Promise<void>;
}

export async function startGateway(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  onStderr: (text: string) => void,
): Promise<Running> {
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  child.stderr.setEncoding('utf8').on('data', onStderr);
  const readiness = async (): Promise<readonly string[]> => {
    for await (const line of createInterface({ input: child.stdout })) {
      const told = JSON.parse(line) as { event?: string; greeting?: readonly string[] }; // our own program's
      if (told.event !== 'ready') continue;
      child.stdout.resume();
      return told.greeting ?? [];
    }
    await closed;
    throw new Error(`the gateway ended with ${child.exitCode} before it was ready`);
  };
  const greeting = await within(readiness(), 'the gateway is ready').catch(error => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    greeting,
    async end(signal) {
      child.kill(signal);
      await within(closed, 'the gateway has ended');
    },
  };
}
