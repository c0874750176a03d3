// One storm: people in many chats write while the gateway is killed and its world breaks, in an order that one seed decides.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startModelServer } from '../doubles/model-server.ts';
import { startTelegram, type TelegramDouble } from '../doubles/telegram-server.ts';
import { destroyAll } from '../integration/scenario/stage.ts';
import { hermesAt } from '../integration/sessions/hermes.ts';
import type { Draws } from '../seed.ts';
import type { Fault, FaultName } from './faults.ts';
import {
  Installation,
  openRows,
  processesAt,
  runsByText,
  sandboxHistory,
  sandboxRows,
  troubles,
  unsettledRows,
} from './installation.ts';
import { AUDIT, People } from './people.ts';
import { answeredIn, type StormRecord } from './record.ts';

export interface StormOptions {
  /** An empty folder. */
  readonly home: string;
  readonly draws: Draws;
  readonly chats: number;
  readonly kills: number;
  /** No fault begins after that. */
  readonly longestMs: number;
  readonly environment: Readonly<Record<string, string>>;
  /** `kill` and `kill-at-start` are always among them. */
  readonly faults: Partial<Record<FaultName, Fault>>;
  /** What a backend still has of the installation, in words. */
  readonly engineHas: () => Promise<readonly string[]>;
  readonly print: (text: string) => void;
}

export interface Storm {
  readonly record: StormRecord;
  /** How often each fault happened. */
  readonly faults: Readonly<Record<string, number>>;
  readonly failedStarts: number;
  /** What the log and the database say about what went wrong, for those who look for the cause of a violation. */
  readonly told: readonly string[];
}

/** Longest time between two faults, and of a start that is killed. */
const CALM_MS = 2_500;
const START_MS = 3_000;
const MOST_OPEN = 3;
const SETTLE_MS = 300_000;
const LOOK_MS = 1000;
const PARTS = 1_000_000;
const OWNER = 1000;
const FIRST_CHAT = 2001;

export async function runStorm(options: StormOptions): Promise<Storm> {
  const { home, draws, chats, environment, print } = options;
  const people = new People();
  const telegram = await startTelegram();
  const model = await startModelServer(heard => people.answer(heard));
  const ids = Array.from({ length: chats }, (_, at) => FIRST_CHAT + at);
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
  const stage = { ...options, people, telegram, installation, ids };
  try {
    await installation.start();
    telegram.faultAtRandom(messengerFaults(draws));
    const faults = await rage(stage, { ...options.faults, ...killing(installation) });
    print(`the storm is over after ${installation.kills} kills; ${people.said.length} messages were written`);
    await settle(stage);
    await audit(stage);
    await installation.stop();
    const told = [...(await troubles(home)), ...sandboxHistory(home)];
    const unsettled = unsettledRows(home);
    const runs = runsByText(home);
    await destroyAll(hermesAt(home, environment));
    const left = [...sandboxRows(home), ...(await processesAt(home)), ...(await options.engineHas())];
    return {
      record: recordOf(stage, { unsettled, left, runs }),
      ...{ faults, failedStarts: installation.failedStarts, told },
    };
  } finally {
    await installation.kill();
    await Promise.all([telegram.close(), model.stop()]);
  }
}

interface Stage extends StormOptions {
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

/** Answers that are lost, refusals, and limits: a few of all calls, all the time. */
function messengerFaults(draws: Draws): Parameters<TelegramDouble['faultAtRandom']>[0] {
  return {
    names: ['sendMessage', 'editMessageText', 'getUpdates'],
    faults: ['drop', 'drop-after', 'bad-gateway', 'server-error', { retryAfterSeconds: 2 }],
    share: 0.04,
    random: () => draws.below(PARTS) / PARTS,
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

function messageWith(token: string): string {
  return `please ${token}`;
}

/** Some chats say one thing, some several at once; nobody says much more than is answered. */
function write({ people, telegram, draws, ids }: Stage): void {
  const open = openByChat({ people, telegram });
  const some = Math.max(2, Math.ceil(ids.length / 8));
  for (let count = 0; count < some; count++) {
    const id = ids[draws.below(ids.length)] ?? FIRST_CHAT;
    const many = 1 + draws.below(MOST_OPEN);
    for (let each = open.get(String(id)) ?? 0; each < many; each++)
      telegram.say(id, messageWith(people.next(String(id), draws)));
    open.set(String(id), many);
  }
}

/** Messages without an answer or a mark, by chat, as far as people can tell: a mark stands for all that waited together. */
function openByChat({ people, telegram }: Pick<Stage, 'people' | 'telegram'>): Map<string, number> {
  const settled = new Map<string, number>();
  const seen = new Set<string>();
  for (const { chat, text } of telegram.sent) {
    const fresh = answeredIn(text).filter(token => !seen.has(token));
    for (const token of fresh) seen.add(token);
    const marks = /\brestarted\b|\bnot delivered\b/i.test(text) ? MOST_OPEN : 0;
    settled.set(chat, (settled.get(chat) ?? 0) + fresh.length + marks);
  }
  const open = new Map<string, number>();
  for (const [chat, said] of Map.groupBy(people.said, each => each.chat))
    open.set(chat, Math.max(0, said.length - (settled.get(chat) ?? 0)));
  return open;
}

/** What is not answered by then is for the invariants to name. */
async function settle(stage: Stage): Promise<void> {
  const { telegram, home, draws, print } = stage;
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await draws.moment(LOOK_MS))
    if (telegram.unacknowledged === 0 && openRows(home).length === 0) return;
  print(`not settled within ${SETTLE_MS} ms: ${openRows(home)}`);
}

/** Each chat shows what its commands have written, in its own sandbox. */
async function audit({ people, telegram, print, installation, draws }: Stage): Promise<void> {
  const chats = [...new Set(people.said.map(({ chat }) => chat))];
  for (const chat of chats) telegram.say(Number(chat), `${AUDIT} ${chat}`);
  const isShown = (chat: string): boolean =>
    people.marks.has(chat) && telegram.sent.some(({ text }) => text.includes(`Marks of ${chat} shown.`));
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await draws.moment(LOOK_MS))
    if (chats.every(isShown)) return;
  print(`not every chat shows its marks within ${SETTLE_MS} ms: ${installation.stderr}`);
}

function recordOf(
  { people, telegram, installation }: Stage,
  {
    unsettled,
    left,
    runs,
  }: Pick<StormRecord, 'unsettled' | 'left'> & { readonly runs: ReadonlyMap<string, string> },
): StormRecord {
  const isSending = (method: string): boolean => method === 'sendMessage' || method === 'editMessageText';
  return {
    said: people.said.map(({ chat, token }) => {
      const run = runs.get(messageWith(token));
      return { chat, token, ...(run === undefined ? {} : { run }) };
    }),
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
