// Recordings of services: what is kept says nothing of anybody, and our drivers read it as they read the original.
import { describe, expect, it } from 'vitest';
import { startDiscord } from '../../doubles/discord-server.ts';
import { SlackDouble } from '../../doubles/slack-server.ts';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { hastyClock } from '../../fixtures/hasty-clock.ts';
import { type Recording, recordingOf, recordingsOf } from '../../recording/recording.ts';
import { startRecordingProxy } from '../../recording/recording-proxy.ts';
import { playable, replay } from '../../recording/replay.ts';
import { Sanitiser } from '../../recording/sanitise.ts';
import { connectDiscord } from './discord-line.ts';
import type { Line } from './line.ts';
import { connectSlack } from './slack-line.ts';
import { connectTelegram } from './telegram-line.ts';

const TEXT = 'confidential words of Ada';
const CARD = { text: 'Sure?', buttons: [[{ label: 'Yes', data: 'y' }]] };

interface Stage {
  readonly line: Line;
  /** Tokens, which the recorder knows. */
  readonly secrets: readonly string[];
  /** What else must not be in the recording; it has to find that by itself. */
  readonly personal: readonly string[];
  say(): void;
  press(messageId: string): void;
  readonly proxy: Awaited<ReturnType<typeof startRecordingProxy>>;
  close(): Promise<void>;
}

const STAGES: Readonly<Record<string, () => Promise<Stage>>> = {
  async telegram() {
    const double = await startTelegram({ clock: hastyClock });
    const proxy = await startRecordingProxy(double.apiRoot);
    const ada = { id: 4_200_042, name: 'Ada Lovelace', username: 'ada_l' };
    return {
      line: await connectTelegram({ apiRoot: proxy.root, token: double.token }),
      secrets: [double.token],
      personal: ['4200042', 'Lovelace', 'ada_l'],
      say: () => void double.say(ada, TEXT),
      press: id => void double.press(ada, id, 'y'),
      ...{ proxy, close: () => double.close() },
    };
  },
  async slack() {
    const double = await SlackDouble.start({ clock: hastyClock });
    const proxy = await startRecordingProxy(double.apiRoot);
    const ada = { id: 'U4200042', name: 'Ada Lovelace' };
    const { botToken, appToken } = double;
    return {
      line: await connectSlack({ apiRoot: proxy.root, botToken, appToken }),
      secrets: [botToken, appToken],
      personal: ['secret-of-the-socket', 'U4200042', 'D4200042', 'Lovelace'],
      say: () => void double.say(ada, TEXT),
      press: id => double.press(ada, id, 'y'),
      ...{ proxy, close: () => double.close() },
    };
  },
  async discord() {
    const double = await startDiscord();
    const proxy = await startRecordingProxy(double.apiRoot);
    const ada = { id: '420000000000004242', name: 'Ada Lovelace' };
    return {
      line: await connectDiscord({ apiRoot: proxy.root, token: double.token }),
      secrets: [double.token],
      personal: ['420000000000004242', 'Lovelace', 'token-of-'],
      say: () => void double.say(ada, TEXT),
      press: id => void double.press(ada, id, 'y'),
      ...{ proxy, close: () => double.close() },
    };
  },
};

/** A message, a card and a press, as they are recorded. */
async function record(platform: string): Promise<{ recording: Recording; secrets: readonly string[] }> {
  const stage = await STAGES[platform]?.();
  if (!stage) throw new Error(`no stage for ${platform}`);
  const { line, proxy } = stage;
  try {
    stage.say();
    const { chat } = await line.event(({ kind }) => kind === 'message');
    const { ids } = await line.connection.send(chat, CARD);
    stage.press(ids[0] ?? '');
    await line.event(({ kind }) => kind === 'button');
    const { frames } = proxy;
    const { secrets, personal } = stage;
    const recording = recordingOf(platform, { frames, events: line.events, secrets });
    return { recording, secrets: [...secrets, ...personal, TEXT, 'confidential'] };
  } finally {
    await line.connection.close();
    await proxy.close();
    await stage.close();
  }
}

describe.each(playable)('what is recorded of %s', platform => {
  it('has no token, id, name or text of anybody, and gives the same events', async () => {
    const { recording, secrets } = await record(platform);
    const kept = JSON.stringify(recording);
    for (const secret of secrets) expect(kept, secret).not.toContain(secret);
    expect(recording.events).toEqual(['message', 'button']);
    expect(await replay(recording)).toEqual(recording.events);
  });

  it('from the service itself is read as it was then', async ({ skip }) => {
    const recordings = await recordingsOf(platform);
    if (recordings.length === 0)
      skip(`not run: no recording of ${platform}; HERMES_TEST_LIVE=${platform} makes one`);
    for (const recording of recordings) expect(await replay(recording)).toEqual(recording.events);
  });
});

describe('the sanitiser', () => {
  it('gives the same word for the same word, of the same length, and another one elsewhere', () => {
    const sanitiser = new Sanitiser(['s3cret']);
    const value = {
      ...{ id: 1_234_567, user: 'U0ADA42', text: '<@U0ADA42> hi s3cret', type: 'message', offset: 3 },
      same: '1234567',
    };
    const once = sanitiser.value(value) as typeof value; // it has the same shape
    expect(once).toEqual(sanitiser.value(value));
    expect(once.text).toContain(`<@${once.user}>`);
    expect(once.text).toHaveLength(value.text.length);
    expect([once.type, once.offset, String(once.id), once.user[0]]).toEqual(['message', 3, once.same, 'U']);
    expect(JSON.stringify(once)).not.toMatch(/1234567|ADA42|s3cret/);
    expect(new Sanitiser([]).value(value)).not.toEqual(once);
  });

  it('hides tokens and ids in addresses, and keeps the names of methods', () => {
    const path = new Sanitiser(['700:abc']).path('POST /bot700:abc/getUpdates?offset=1');
    expect(path).toBe('POST /secret/getUpdates');
    expect(new Sanitiser([]).path('GET /channels/123456789/messages')).not.toContain('123456789');
  });
});
