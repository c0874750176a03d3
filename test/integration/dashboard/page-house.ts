// A whole gateway for tests that look at its page: a process of its own, a model and Telegram as doubles on loopback, real
// sandboxes, and a link for its owner. Also the screenshots are taken in it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ModelServer, type Script, startModelServer } from '../../doubles/model-server.ts';
import { startTelegram, type TelegramDouble } from '../../doubles/telegram-server.ts';
import { within } from '../../wait.ts';
import { type Ended, runProgram } from '../run-program.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');

export interface PageHouse {
  readonly home: string;
  readonly telegram: TelegramDouble;
  readonly model: ModelServer;
  /** Such as `http://127.0.0.1:4711`. */
  readonly origin: () => string;
  /** Works once. */
  link(person?: string): Promise<string>;
  run(...words: string[]): Promise<Ended>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface HouseOptions {
  readonly script: Script;
  readonly settings?: readonly string[];
  /** The same one after a restart; else any free one. */
  readonly port?: number;
}

export async function openPageHouse({ script, settings = [], port = 0 }: HouseOptions): Promise<PageHouse> {
  const home = await mkdtemp(join(homedir(), '.hermes-page-'));
  const [telegram, model] = await Promise.all([startTelegram(), startModelServer(script)]);
  const env = {
    ...process.env,
    HERMES_HOME: home,
    NO_COLOR: '1',
    WEB_SECRET: 's'.repeat(40),
    GATEWAY_TERMINAL_BACKEND: 'bubblewrap',
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
  };
  const words = [
    ...['gateway', 'start', '--json', '--set=gateway.http_port=0', '--set=web.enabled=true'],
    ...[`--set=web.port=${port}`, `--set=model.base_url=${model.openAiUrl}`, '--set=model.name=test-model'],
    ...settings.map(each => `--set=${each}`),
  ];
  const run = (...given: string[]): Promise<Ended> =>
    runProgram([process.execPath, program, ...given], { env });
  const leave = async (): Promise<void> => {
    await Promise.all([telegram.close(), model.stop()]);
    await rm(home, { recursive: true, force: true });
  };
  let running = await start(words, env).catch(async error => {
    await leave();
    throw error;
  });
  let origin = '';
  const link = async (person = 'owner'): Promise<string> => {
    const { code, stdout, stderr } = await run('gateway', 'login', '--json', '--person', person);
    if (code !== 0) throw new Error(`no link: ${stderr}`);
    const made = (JSON.parse(stdout) as { link: string }).link; // our own program's
    origin = new URL(made).origin;
    return made;
  };
  const stop = async (): Promise<void> => {
    running.kill('SIGTERM');
    await within(once(running, 'close'), 'the gateway has ended');
  };
  return {
    ...{ home, telegram, model, link, run, origin: () => origin },
    async restart() {
      await stop();
      running = await start(words, env);
    },
    async close() {
      await stop();
      const { stdout } = await run('sandbox', 'list', '--json');
      const { sandboxes } = JSON.parse(stdout) as { sandboxes: readonly { id: string }[] }; // our own program's
      for (const { id } of sandboxes) await run('sandbox', 'destroy', id);
      await leave();
    },
  };
}

async function start(words: readonly string[], env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  const readiness = async (): Promise<void> => {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes('"ready"')) continue;
      child.stdout.resume();
      return;
    }
    throw new Error(`the gateway ended before it was ready: ${stderr}`);
  };
  try {
    await within(readiness(), () => `the gateway is ready: ${stderr}`);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return child;
}
