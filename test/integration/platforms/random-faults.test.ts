// Services that fail at random, from the seed of the run: every message that can be sent again without doubt arrives once.
import { expect, it } from 'vitest';
import { isHermesError } from '../../../src/base/errors.ts';
import type { Chat, Connection } from '../../../src/platforms/platform.ts';
import { startDiscord } from '../../doubles/discord-server.ts';
import type { DoubleControls } from '../../doubles/double-server.ts';
import { SlackDouble } from '../../doubles/slack-server.ts';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { hastyClock } from '../../fixtures/hasty-clock.ts';
import { useDraws } from '../../seed.ts';
import { connectDiscord } from './discord-line.ts';
import { connectSlack } from './slack-line.ts';
import { connectTelegram } from './telegram-line.ts';

const MESSAGES = 12;
const MOST_TRIES = 40;

type Fault = 'server-error' | { readonly retryAfterSeconds: number };

interface Stage {
  readonly connection: Connection;
  readonly chat: Chat;
  readonly double: Pick<DoubleControls<unknown, Fault>, 'faultAtRandom' | 'close'>;
  readonly sent: () => readonly string[];
}

const STAGES: readonly (readonly [string, string, () => Promise<Stage>])[] = [
  [
    'telegram',
    'sendMessage',
    async () => {
      const double = await startTelegram({ clock: hastyClock });
      const { connection } = await connectTelegram(double);
      const sent = () => double.sent.map(({ text }) => text);
      return { connection, chat: { id: '42', kind: 'private' }, double, sent };
    },
  ],
  [
    'slack',
    'chat.postMessage',
    async () => {
      const double = await SlackDouble.start({ clock: hastyClock });
      const { connection } = await connectSlack(double);
      const sent = () => double.sent.map(({ text }) => text);
      return { connection, chat: { id: 'U42', kind: 'private' }, double, sent };
    },
  ],
  [
    'discord',
    'POST /channels/*/messages',
    async () => {
      const double = await startDiscord();
      const chat: Chat = { id: double.world.privateOf({ id: '420000000000004201' }).id, kind: 'private' };
      const { connection } = await connectDiscord(double);
      const sent = () => double.sent.map(({ text }) => text);
      return { connection, chat, double, sent };
    },
  ],
];

it.each(STAGES)('%s that fails every third time gets each message once, in order', async (_, name, open) => {
  const draws = useDraws();
  const { connection, chat, double, sent } = await open();
  double.faultAtRandom({
    names: [name],
    faults: ['server-error', { retryAfterSeconds: 1 }],
    share: 1 / 3,
    random: () => draws.below(1_000_000) / 1_000_000,
  });
  const texts = Array.from({ length: MESSAGES }, (_each, at) => `message ${at}`);
  try {
    for (const text of texts) await sendUntilSent(connection, chat, text);
    expect(sent()).toEqual(texts);
  } finally {
    await connection.close();
    await double.close();
  }
});

/** As the outbox does: again while it is said that nothing arrived. */
async function sendUntilSent(connection: Connection, chat: Chat, text: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      await connection.send(chat, { text });
      return;
    } catch (error) {
      if (!isHermesError(error, 'UNAVAILABLE_PLATFORM') || error.details['mayBeDelivered'] !== false)
        throw error;
    }
  }
  throw new Error(`"${text}" was refused ${MOST_TRIES} times`);
}
