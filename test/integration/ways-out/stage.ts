// A whole installation inside the test: `hermes gateway start` as it is, with Telegram, a model and a browser's sockets as
// doubles on loopback, real sandboxes, and everything that leaves it collected by the place where it arrived.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { WebSocket } from 'ws';
import { newId } from '../../../src/base/ids.ts';
import type { Ready } from '../../../src/cli/commands/gateway/ready.ts';
import { runCli } from '../../../src/cli/run-cli.ts';
import { type ModelServer, type Script, startModelServer } from '../../doubles/model-server.ts';
import { startTelegram, type TelegramDouble } from '../../doubles/telegram-server.ts';
import { waitFor } from '../../doubles/wait-for.ts';
import { webPerson } from '../../doubles/web-person.ts';
import { PATIENCE_MS } from '../../wait.ts';
import { callHermes } from '../call-hermes.ts';
import type { Ended } from '../run-program.ts';
import { FORWARDED, KEY, TOKEN } from './secrets.ts';

export const OWNER = 1001;

/** A page that its owner has open. */
export interface Page {
  readonly frames: readonly string[];
  send(frame: unknown): void;
  /** Resolves with the first frame, now or later, for which it holds. */
  whenFrame(holds: (frame: string) => boolean): Promise<string>;
  /** Its person writes in the chat of the page. */
  say(text: string): Promise<void>;
  /** The body of what the server answers. */
  ask(path: string, body?: unknown): Promise<string>;
}

export interface Stage {
  readonly home: string;
  readonly telegram: TelegramDouble;
  readonly model: ModelServer;
  readonly page: Page;
  cli(...words: string[]): Promise<Ended>;
  /** Resolves with the metrics and the other pages for whoever watches over it. */
  http(path: string): Promise<string>;
  /** The owner says it; resolves when the model has nothing more to do about it. */
  drive(way: string): Promise<void>;
  log(): Promise<string>;
  /** What the gateway has printed. */
  said(): string;
  /** Ends the gateway; what it has left can still be looked at. */
  stop(): Promise<void>;
  /** Removes all of it, sandboxes first. */
  close(): Promise<void>;
}

interface StageOptions {
  readonly backend: 'bubblewrap' | 'local';
  /** What the model does about `drive NAME`. */
  readonly script: Script;
  readonly settings?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function openStage({
  backend,
  script,
  settings = '',
  environment = {},
}: StageOptions): Promise<Stage> {
  const home = await mkdtemp(join(homedir(), '.hermes-ways-'));
  const [telegram, model] = await Promise.all([startTelegram({ token: TOKEN }), startModelServer(script)]);
  const config = `gateway:
  http_port: 0
  sandbox_forward_env: [DEPLOY_PHRASE]
web:
  enabled: true
  port: 0
model:
  base_url: ${model.openAiUrl}
  name: test-model
${settings}`;
  await writeFile(join(home, 'config.yaml'), config, { mode: 0o600 });
  await writeFile(join(home, '.env'), `OPENAI_API_KEY=${KEY}\nTELEGRAM_BOT_TOKEN=${TOKEN}\n`, {
    mode: 0o600,
  });
  const env = {
    ...{
      PATH: process.env['PATH'],
      HOME: home,
      HERMES_HOME: home,
      NO_COLOR: '1',
      TMPDIR: process.env['TMPDIR'],
    },
    ...{ GATEWAY_TERMINAL_BACKEND: backend, TELEGRAM_API_ROOT: telegram.apiRoot, DEPLOY_PHRASE: FORWARDED },
    ...{ WEB_SECRET: 'w'.repeat(40), ...environment },
  };
  const cli = (...words: string[]): Promise<Ended> => callHermes(words, { env, inherited: {} });
  await cli('people', 'allow', `telegram:${OWNER}`);
  await cli('people', 'role', `telegram:${OWNER}`, 'owner');
  const gateway = await startGateway(env);
  const link = gateway.link ?? (await loginLink(cli));
  const page = await openPage(link);
  const stop = async (): Promise<void> => {
    page.close();
    await gateway.stop();
  };
  const close = async (): Promise<void> => {
    await stop();
    const listed = JSON.parse((await cli('sandbox', 'list', '--json')).stdout) as {
      sandboxes: readonly { id: string }[];
    }; // our own program's
    for (const { id } of listed.sandboxes) await cli('sandbox', 'destroy', id);
    await Promise.all([telegram.close(), model.stop()]);
    await rm(home, { recursive: true, force: true });
  };
  return {
    ...{ home, telegram, model, page, cli, stop, close, said: gateway.said },
    http: async path => (await fetch(`${gateway.http}${path}`)).text(),
    async drive(way) {
      const before = telegram.sent.length;
      telegram.say(OWNER, `drive ${way}`);
      await telegram.whenSent(
        each => telegram.sent.indexOf(each) >= before && each.text.includes(`over ${way}`),
        { timeoutMs: PATIENCE_MS },
      );
    },
    log: () => readFile(join(home, 'logs', 'gateway.log'), 'utf8'),
  };
}

/** Where a command may ask for one. */
async function loginLink(cli: Stage['cli']): Promise<string> {
  const { stdout } = await cli('gateway', 'login', '--json');
  return (JSON.parse(stdout) as { link: string }).link; // our own program's
}

/** Resolves when it says that it is ready. */
async function startGateway(environment: Readonly<Record<string, string | undefined>>) {
  const ended = new AbortController();
  const ready = Promise.withResolvers<string>();
  let said = '';
  const over = runCli({
    ...{ argv: ['gateway', 'start', '--json'], environment, stdin: Readable.from([]), signal: ended.signal },
    end: () => ended.abort('a command'),
    stdout: {
      write(text) {
        said += String(text);
        if (String(text).includes('"ready"')) ready.resolve(String(text));
      },
    },
    stderr: { write: text => (said += String(text)) },
  });
  over.then(
    () => ready.reject(new Error(`the gateway ended: ${said}`)),
    error => ready.reject(error),
  );
  const { status, login } = JSON.parse(await ready.promise) as Ready; // our own program's
  return {
    http: status.http,
    link: login?.link,
    said: () => said,
    async stop() {
      ended.abort('the test is over');
      await over;
    },
  };
}

async function openPage(link: string): Promise<Page & { close(): void }> {
  const person = await webPerson(link);
  const { cookie, origin } = person;
  const headers = { cookie, origin };
  const frames: string[] = [];
  const watchers = new Set<() => void>();
  const heard = (frame: string): void => {
    frames.push(frame);
    for (const watcher of watchers) watcher();
  };
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/live`, { headers });
  socket.on('message', data => heard(String(data)));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    frames,
    send: frame => socket.send(JSON.stringify(frame)),
    whenFrame: holds =>
      waitFor({
        look: () => frames.find(holds),
        watchers: [watchers],
        timeoutMs: PATIENCE_MS,
        missing: () => `no such frame; there were ${frames.length}`,
      }),
    async say(text) {
      await person.open({ onFrame: frame => heard(JSON.stringify(frame)) });
      person.send({ type: 'message', id: newId(), text });
    },
    async ask(path, body) {
      const given = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      return (await fetch(`${origin}${path}`, { headers, ...given })).text();
    },
    close() {
      socket.terminate();
      person.leave();
    },
  };
}
