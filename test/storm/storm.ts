// One storm: people in many chats write while the gateway is killed and its world breaks, in an order that one seed decides.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../doubles/model-server.ts';
import { startTelegram, type TelegramDouble } from '../doubles/telegram-server.ts';
import { destroyAll } from '../integration/scenario/stage.ts';
import { hermesAt } from '../integration/sessions/hermes.ts';
import type { Draws } from '../seed.ts';
import { until } from '../wait.ts';
import type { Fault, FaultName } from './faults.ts';
import { Installation, processesAt, sandboxRows, unsettledRows } from './installation.ts';
import { AUDIT, People } from './people.ts';
import { answeredIn, type StormRecord } from './record.ts';

export interface StormOptions {
  readonly draws: Draws;
  readonly chats: number;
  readonly kills: number;
  /** No fault begins after that. */
  readonly longestMs: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Given the folder of the installation; `kill` and `kill-at-start` are always among them. */
  readonly faults: (home: string) => Promise<Partial<Record<FaultName, Fault>>>;
  /** What a backend still has of the installation, in words. */
  readonly engineHas: (home: string) => Promise<readonly string[]>;
  readonly print: (text: string) => void;
}

export interface Storm {
  readonly record: StormRecord;
  /** How often each fault happened. */
  readonly faults: Readonly<Record<string, number>>;
  readonly failedStarts: number;
  readonly stderr: string;
}

/** Longest time between two faults, and of a start that is killed. */
const CALM_MS = 2_500;
const START_MS = 3_000;
const MOST_OPEN = 3;
const SETTLE_MS = 600_000;
const OWNER = 1000;
const FIRST_CHAT = 2001;

export async function runStorm(options: StormOptions): Promise<Storm> {
  const { draws, chats, environment, print } = options;
  const home = await mkdtemp(join(homedir(), '.hermes-storm-'));
  const people = new People();
  const telegram = await startTelegram();
  const model = await startModelServer(heard => people.answer(heard));
  const ids = Array.from({ length: chats }, (_, at) => FIRST_CHAT + at);
  const prepared = await options.faults(home);
  const installation = new Installation({
    ...{ home, draws },
    words: ['gateway', 'start', '--json', '--set=gateway.http_port=0', '--set=gateway.busy=queue'].concat([
      `--set=model.base_url=${model.openAiUrl}`,
      '--set=model.name=test-model',
    ]),
    env: {
      ...Object.fromEntries(
        ['PATH', 'TMPDIR', 'HERMES_TEST_RUN', 'HERMES_TEST_FILE'].map(name => [name, process.env[name]]),
      ),
      ...{ HOME: home, HERMES_HOME: home, NO_COLOR: '1' },
      ...{ TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot },
      TELEGRAM_ALLOWED_USERS: [OWNER, ...ids].join(','),
      ...environment,
    },
  });
  const stage = { ...options, home, people, telegram, installation, ids };
  try {
    await installation.start();
    const faults = await rage(stage, { ...prepared, ...killing(installation) });
    print(`the storm is over after ${installation.kills} kills; ${people.said.length} messages were written`);
    await settle(stage);
    await audit(stage);
    await installation.stop();
    const unsettled = unsettledRows(home);
    await destroyAll(hermesAt(home, environment));
    const left = [...sandboxRows(home), ...(await processesAt(home)), ...(await options.engineHas(home))];
    return {
      record: recordOf(stage, { unsettled, left }),
      ...{ faults, failedStarts: installation.failedStarts, stderr: installation.stderr },
    };
  } finally {
    await installation.kill();
    await Promise.all([telegram.close(), model.stop()]);
    await rm(home, { recursive: true, force: true });
  }
}

interface Stage extends StormOptions {
  readonly home: string;
  readonly people: People;
  readonly telegram: TelegramDouble;
  readonly installation: Installation;
  readonly ids: readonly number[];
}

function killing(installation: Installation): Partial<Record<FaultName, Fault>> {
  return {
    kill: () => installation.kill(),
    async 'kill-at-start'() {
      await installation.kill();
      await installation.startAndKill(START_MS);
    },
  };
}

/** Every second fault is a kill; the others take turns, so that each one happens. */
async function rage(
  stage: Stage,
  faults: Partial<Record<FaultName, Fault>>,
): Promise<Readonly<Record<string, number>>> {
  const { draws, kills, longestMs, installation, print } = stage;
  const names = Object.keys(faults).filter(name => name !== 'kill') as FaultName[]; // its own keys
  const counts: Record<string, number> = {};
  const end = performance.now() + longestMs;
  for (let round = 0; installation.kills < kills && performance.now() < end; round++) {
    write(stage);
    await draws.moment(CALM_MS);
    const name = round % 2 === 0 ? 'kill' : (names[(round >> 1) % names.length] ?? 'kill');
    counts[name] = (counts[name] ?? 0) + 1;
    await faults[name]?.(draws);
    // A gateway that has ended by itself is started again, as a service manager does.
    if (!installation.isRunning) await installation.start();
    print(`${round} ${name}: ${installation.kills} kills, ${stage.people.said.length} messages`);
  }
  return counts;
}

/** Some chats say one thing, some several at once; nobody says much more than is answered. */
function write({ people, telegram, draws, ids }: Stage): void {
  const open = openByChat({ people, telegram });
  const some = Math.max(2, Math.ceil(ids.length / 8));
  for (let count = 0; count < some; count++) {
    const id = ids[draws.below(ids.length)] ?? FIRST_CHAT;
    const many = 1 + draws.below(MOST_OPEN);
    for (let each = open.get(String(id)) ?? 0; each < many; each++)
      telegram.say(id, `please ${people.next(String(id), draws)}`);
    open.set(String(id), many);
  }
}

/** Messages without an answer or a mark, by chat; marks name no message, so each stands for one. */
function openByChat({ people, telegram }: Pick<Stage, 'people' | 'telegram'>): Map<string, number> {
  const settled = new Map<string, number>();
  const seen = new Set<string>();
  for (const { chat, text } of telegram.sent) {
    const fresh = answeredIn(text).filter(token => !seen.has(token));
    for (const token of fresh) seen.add(token);
    const marks = /\brestarted\b|\bnot delivered\b/i.test(text) ? 1 : 0;
    settled.set(chat, (settled.get(chat) ?? 0) + fresh.length + marks);
  }
  const open = new Map<string, number>();
  for (const [chat, said] of Map.groupBy(people.said, each => each.chat))
    open.set(chat, Math.max(0, said.length - (settled.get(chat) ?? 0)));
  return open;
}

/** What is not answered by then is for the invariants to name. */
async function settle(stage: Stage): Promise<void> {
  const isSettled = (): boolean => [...openByChat(stage).values()].every(open => open === 0);
  await patiently(until(isSettled, 'every message is answered or marked', SETTLE_MS), stage.print);
}

/** Each chat shows what its commands have written, in its own sandbox. */
async function audit({ people, telegram, print, installation }: Stage): Promise<void> {
  const chats = [...new Set(people.said.map(({ chat }) => chat))];
  for (const chat of chats) telegram.say(Number(chat), `${AUDIT} ${chat}`);
  const isShown = (chat: string): boolean =>
    people.marks.has(chat) && telegram.sent.some(({ text }) => text.includes(`Marks of ${chat} shown.`));
  const all = () => chats.every(isShown);
  await patiently(until(all, `every chat shows its marks: ${installation.stderr}`, SETTLE_MS), print);
}

async function patiently(wait: Promise<unknown>, print: (text: string) => void): Promise<void> {
  try {
    await wait;
  } catch (error) {
    print(String(error));
  }
}

function recordOf(
  { people, telegram, installation }: Stage,
  { unsettled, left }: Pick<StormRecord, 'unsettled' | 'left'>,
): StormRecord {
  const isSending = (method: string): boolean => method === 'sendMessage' || method === 'editMessageText';
  return {
    said: people.said,
    shown: telegram.sent,
    received: telegram.calls
      .filter(({ method }) => isSending(method))
      .map(({ params }) => ({ chat: String(params['chat_id']), text: String(params['text']) })),
    effects: [...people.marks].flatMap(([chat, tokens]) => tokens.map(token => ({ chat, token }))),
    reported: [...people.reported],
    kills: installation.kills,
    unsettled,
    left,
  };
}

/** A file that the clock of the gateway goes by. */
export async function clockFile(folder: string): Promise<string> {
  const file = join(folder, 'offset');
  await writeFile(file, '+0\n');
  return file;
}
