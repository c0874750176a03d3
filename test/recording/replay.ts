// Feeds what was recorded of a service to our driver, by way of the double, which hands out any frame as it is.

import { startDiscord } from '../doubles/discord-server.ts';
import { SlackDouble } from '../doubles/slack-server.ts';
import { startTelegram } from '../doubles/telegram-server.ts';
import { hastyClock } from '../fixtures/hasty-clock.ts';
import { connectDiscord } from '../integration/platforms/discord-line.ts';
import type { Line } from '../integration/platforms/line.ts';
import { connectSlack } from '../integration/platforms/slack-line.ts';
import { connectTelegram } from '../integration/platforms/telegram-line.ts';
import type { Recording } from './recording.ts';

interface Player {
  readonly line: Line;
  play(frame: Recording['frames'][number]): void;
  close(): Promise<void>;
}

/** What a session begins with belongs to the session that was recorded. */
const OF_THE_SESSION = ['READY', 'RESUMED', 'GUILD_CREATE'];

const PLAYERS: Readonly<Record<string, () => Promise<Player>>> = {
  async telegram() {
    const double = await startTelegram({ clock: hastyClock });
    return {
      line: await connectTelegram(double),
      play: ({ name, body }) => {
        if (name.endsWith('/getUpdates')) for (const update of fieldOf(body, 'result')) double.push(update);
      },
      close: () => double.close(),
    };
  },
  async slack() {
    const double = await SlackDouble.start({ clock: hastyClock });
    return {
      line: await connectSlack(double),
      play: ({ name, body }) => {
        if (name === 'socket' && fieldOf(body, 'envelope_id').length > 0) double.sockets.push(body);
      },
      close: () => double.close(),
    };
  },
  async discord() {
    const double = await startDiscord();
    return {
      line: await connectDiscord(double),
      play: ({ name, body }) => {
        const [type] = fieldOf(body, 't');
        const [data] = fieldOf(body, 'd');
        if (name === 'socket' && typeof type === 'string' && !OF_THE_SESSION.includes(type))
          double.gateway.dispatch(type, data);
      },
      close: () => double.close(),
    };
  },
};

/** Platforms whose recordings can be played. */
export const playable = Object.keys(PLAYERS);

/** Resolves when as many events came as were recorded. */
export async function replay({ platform, frames, events }: Recording): Promise<readonly string[]> {
  const player = await PLAYERS[platform]?.();
  if (!player) throw new Error(`recordings of ${platform} cannot be played`);
  const { line } = player;
  try {
    for (const frame of frames) player.play(frame);
    await line.when(() => line.events.length >= events.length || undefined, `${events.length} events`);
    return line.events.map(({ kind }) => kind);
  } finally {
    await line.connection.close();
    await player.close();
  }
}

/** The values of a field: of a list its entries; none where it is missing. */
function fieldOf(body: unknown, name: string): readonly unknown[] {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined; // its own field
  return value === undefined ? [] : [value].flat();
}
