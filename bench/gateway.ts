// What the gateway adds between a platform and the agent: to a message, to an answer, and under many at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent, Turn } from '../src/agent/events.ts';
import { ApprovalDesk } from '../src/approvals/desk.ts';
import { loadHermesConfig } from '../src/compose.ts';
import { Admission } from '../src/gateway/admission.ts';
import { Gateway } from '../src/gateway/gateway.ts';
import { platformPeople } from '../src/gateway/people-rules.ts';
import type { Connection, ConnectOptions, Platform, PlatformEvent } from '../src/platforms/platform.ts';
import type { Bench } from './bench.ts';
import { type MemoryFigure, settledMemory } from './memory.ts';
import { openBenchGateway } from './sessions.ts';

const PEOPLE = 50;
const IDLE = 1000;
const hermes = join(import.meta.dirname, '../bin/hermes.js');
const MANY = 500;
const bare = 'one turn of the event loop';
const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0, toolCalls: 0 };

/** A platform that takes everything at once and tells how much it got. */
class BenchPlatform implements Platform {
  readonly name = 'telegram';
  readonly capabilities = {
    ...{ maxText: 4096, edits: true, editEveryMs: 3000, buttons: true, maxButtonData: 64, typing: false },
    ...{ groups: true, threads: true, maxFileIn: 0, maxFileOut: 0, isPublic: true },
  };
  readonly #waiting = new Map<string, () => void>();
  #sent = 0;
  #receive: ConnectOptions['receive'] = async () => {};
  #count = 0;

  async connect({ receive }: ConnectOptions): Promise<Connection> {
    this.#receive = receive;
    return {
      account: 'bench',
      send: async ({ id }) => {
        this.#waiting.get(id)?.();
        return { ids: [String(++this.#sent)] };
      },
      sendFile: async () => ({ ids: [] }),
      edit: async () => {},
      fetchFile: async () => new Uint8Array(),
      pause: async () => {},
      close: async () => {},
    };
  }

  say(person: number, text: string): Promise<void> {
    const event: PlatformEvent = {
      ...{ kind: 'message', id: String(++this.#count), text, files: [], isAddressed: true },
      chat: { id: String(person), kind: 'private' },
      sender: { id: String(person), name: 'somebody' },
    };
    return this.#receive(event);
  }

  /** Resolves with the next message to that person. */
  answer(person: number): Promise<void> {
    return new Promise(resolve => this.#waiting.set(String(person), resolve));
  }
}

async function openHeart() {
  const people = { TELEGRAM_ALLOWED_USERS: Array.from({ length: IDLE }, (_, at) => at).join(',') };
  const ground = await openBenchGateway({ TERMINAL_ENV: 'local', ...people });
  const { world, sandboxes } = ground;
  const { store, clock, log } = world;
  const settings = await loadHermesConfig({ HERMES_HOME: ground.home, ...people });
  const platform = new BenchPlatform();
  const started = { resolve: () => {} };
  const answer = { wait: Promise.resolve() };
  async function* run(_: unknown, turn: Turn): AsyncGenerator<AgentEvent> {
    started.resolve();
    await answer.wait;
    yield { type: 'text', delta: turn.text };
    yield { type: 'done', outcome: { kind: 'answered', text: turn.text, usage } };
  }
  const desk = new ApprovalDesk({
    ...{ store, clock, timeoutMs: 1000, show: async () => false, allowAlways: async () => {} },
  });
  const admission = new Admission({
    ...{
      store,
      clock,
      log,
      owners: { send: async () => [], change: async places => places },
      onApproved: () => {},
    },
    rules: name => platformPeople(settings, name),
  });
  const gateway = new Gateway({
    ...{ world, settings, admission, desk, sandboxes, home: ground.home, platforms: [platform] },
    agent: { run, recover: async () => [], usage: async () => ({ ...usage, runs: 0, costMicros: null }) },
    ...{ model: undefined, warnings: [] },
  });
  await gateway.start();
  return { ground, gateway, platform, started, answer };
}

/** Everybody writes at once, and again as soon as they are answered. */
async function flood(platform: BenchPlatform): Promise<void> {
  const talk = async (person: number): Promise<void> => {
    for (let at = 0; at < MANY / PEOPLE; at++)
      await Promise.all([platform.answer(person), platform.say(person, `message ${at}`)]);
  };
  await Promise.all(Array.from({ length: PEOPLE }, (_, person) => talk(person)));
}

/** The program, from its start until it says that it is ready; resolves with how to end it. */
async function startProcess(): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'hermes-bench-'));
  const words = ['gateway', 'start', '--json', '--set', 'gateway.http_port=0'];
  const child = spawn(process.execPath, [hermes, ...words], {
    env: { PATH: process.env['PATH'], HERMES_HOME: home, TERMINAL_ENV: 'local' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(home, { recursive: true });
  };
}

/** All of the process after so many people have said something and were answered. */
async function idleSessions(platform: BenchPlatform): Promise<MemoryFigure> {
  for (let from = 0; from < IDLE; from += PEOPLE) {
    const people = Array.from({ length: PEOPLE }, (_, at) => from + at);
    await Promise.all(people.flatMap(each => [platform.answer(each), platform.say(each, 'hello')]));
  }
  const mebibytes = Number((settledMemory() / 1024 / 1024).toFixed(2));
  return { name: `${IDLE} idle sessions, whole process`, mebibytes, limit: 200 };
}

export const gateway: Bench = {
  doc: 'The gateway between a platform and an agent, with a store on disk',
  rounds: 30,
  warmUp: 5,
  async open() {
    const { ground, gateway: heart, platform, started, answer } = await openHeart();
    let go = Promise.withResolvers<void>();
    let answered: Promise<void> | undefined;
    let stop = async (): Promise<void> => {};
    return {
      cases: [
        { name: bare, run: () => new Promise(resolve => setImmediate(resolve)) },
        {
          name: 'message received to run started',
          run: async () => {
            const begun = new Promise<void>(resolve => {
              started.resolve = resolve;
            });
            answered = platform.answer(1);
            await Promise.all([platform.say(1, 'hello'), begun]);
          },
          after: async () => {
            await answered;
            await heart.drained();
          },
          against: bare,
          limit: { extraMs: 10 },
        },
        {
          name: 'text of the model to the platform',
          before: async () => {
            go = Promise.withResolvers<void>();
            answer.wait = go.promise;
            const begun = new Promise<void>(resolve => {
              started.resolve = resolve;
            });
            await Promise.all([platform.say(2, 'hello'), begun]);
          },
          run: async () => {
            answered = platform.answer(2);
            go.resolve();
            await answered;
          },
          after: async () => {
            answer.wait = Promise.resolve();
            await heart.drained();
          },
          against: bare,
          limit: { extraMs: 10 },
        },
        {
          name: `${MANY} messages of ${PEOPLE} people, answered`,
          run: () => flood(platform),
          after: () => heart.drained(),
          against: bare,
          limit: { extraMs: 1000 },
        },
        {
          name: 'start of the process to ready',
          run: async () => {
            stop = await startProcess();
          },
          after: () => stop(),
          against: bare,
          limit: { extraMs: 1500 },
        },
      ],
      figures: async () => [await idleSessions(platform)],
      async close() {
        await heart.stop({ signal: AbortSignal.abort() });
        await ground.close();
      },
    };
  },
};
