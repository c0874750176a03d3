// What the gateway adds between a platform and the agent: to a message, to an answer, and under many at once.
import type { AgentEvent, Turn } from '../src/agent/events.ts';
import { ApprovalDesk } from '../src/approvals/desk.ts';
import { loadHermesConfig } from '../src/compose.ts';
import { Admission } from '../src/gateway/admission.ts';
import { Gateway } from '../src/gateway/gateway.ts';
import { platformPeople } from '../src/gateway/people-rules.ts';
import type { Connection, ConnectOptions, Platform, PlatformEvent } from '../src/platforms/platform.ts';
import { defineBench } from './bench.ts';
import { settledMemory } from './memory.ts';
import { openRows } from './rows.ts';
import { openBenchGateway } from './sessions.ts';

const PEOPLE = 50;
const IDLE = 1000;
const MANY = 500;
const CROWD = 50;
let lastStranger = IDLE;
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

async function nobodyDoes(): Promise<never> {
  throw new Error('nobody does anything in a sandbox here');
}

async function openHeart() {
  const people = { TELEGRAM_ALLOWED_USERS: Array.from({ length: IDLE }, (_, at) => at).join(',') };
  const ground = await openBenchGateway({ TERMINAL_ENV: 'local', ...people });
  const { world } = ground;
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
    ...{ world, settings, admission, desk, home: ground.home, platforms: [platform] },
    perform: nobodyDoes,
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

/** People whom nothing allows in, each another one than before. */
function strangersWrite(platform: BenchPlatform): Promise<unknown> {
  const people = Array.from({ length: CROWD }, () => ++lastStranger);
  return Promise.all(people.map(each => platform.say(each, 'let me in')));
}

/** The whole process after so many people have said something and were answered, in MiB. */
async function idleSessions(platform: BenchPlatform): Promise<number> {
  for (let from = 0; from < IDLE; from += PEOPLE) {
    const people = Array.from({ length: PEOPLE }, (_, at) => from + at);
    await Promise.all(people.flatMap(each => [platform.answer(each), platform.say(each, 'hello')]));
  }
  return Number((settledMemory() / 1024 / 1024).toFixed(2));
}

export const gateway = defineBench({
  title: 'The gateway between a platform and an agent',
  about: 'With a store on disk, beside writing one row safely to a database on the same disk.',
  rounds: 30,
  warmUp: 5,
  cases: {
    row: { name: 'one row written' },
    received: { name: 'message received to run started', against: 'row', limit: 25 },
    answered: { name: 'text of the model to the platform', against: 'row', limit: 25 },
    crowded: {
      name: `message received to run started, while ${CROWD} strangers write`,
      against: 'received',
      limit: 6,
    },
    strangers: { name: `${CROWD} messages of strangers turned away`, against: 'row', limit: 100 },
    many: { name: `${MANY} messages of ${PEOPLE} people, answered`, against: 'row', limit: 4000 },
  },
  figures: { idle: { name: `${IDLE} idle sessions, the whole process`, limitMiB: 225 } },
  async open() {
    const { ground, gateway: heart, platform, started, answer } = await openHeart();
    const rows = openRows(ground.home);
    let go = Promise.withResolvers<void>();
    let answered: Promise<void> | undefined;
    let crowd: Promise<unknown> | undefined;
    const begun = (): Promise<void> =>
      new Promise(resolve => {
        started.resolve = resolve;
      });
    return {
      runs: {
        row: { run: () => rows.write(1) },
        received: {
          run: async () => {
            answered = platform.answer(1);
            await Promise.all([begun(), platform.say(1, 'hello')]);
          },
          after: async () => {
            await answered;
            await heart.drained();
          },
        },
        crowded: {
          run: async () => {
            answered = platform.answer(1);
            crowd = strangersWrite(platform);
            await Promise.all([begun(), platform.say(1, 'hello')]);
          },
          after: async () => {
            await Promise.all([answered, crowd]);
            await heart.drained();
          },
        },
        strangers: { run: () => strangersWrite(platform) },
        answered: {
          before: async () => {
            go = Promise.withResolvers<void>();
            answer.wait = go.promise;
            await Promise.all([begun(), platform.say(2, 'hello')]);
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
        },
        many: { run: () => flood(platform), after: () => heart.drained() },
      },
      figures: async () => ({ idle: await idleSessions(platform) }),
      async close() {
        await heart.stop({ signal: AbortSignal.abort() });
        rows.close();
        await ground.close();
      },
    };
  },
});
