// One check of a messenger itself, as far as a bot alone can go: it sends, edits and shows buttons. What the service sent is
// kept, sanitised.
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { logInto, openLine } from '../integration/platforms/line.ts';
import type { LivePlatform } from './live-platforms.ts';
import { type Recording, recordingOf } from './recording.ts';
import { startRecordingProxy } from './recording-proxy.ts';

/** `values`: of the credentials and of the chat. `address`: of the API; absent = the service's own. */
export async function checkLive(
  live: LivePlatform,
  values: Readonly<Record<string, string>>,
  address = live.root?.[1],
): Promise<Recording | undefined> {
  const proxy = live.root && address ? await startRecordingProxy(address) : undefined;
  const environment = { ...values, ...(live.root && proxy ? { [live.root[0]]: proxy.root } : {}) };
  try {
    const platform = await live.open(environment, { clock: systemClock, log: logInto([]) });
    if (!platform) throw new Error(`${live.name} is not set up`);
    const { connection, events } = await openLine(platform);
    const chat = { id: values[live.chat] ?? '', kind: 'private' } as const;
    const { ids } = await connection.send(chat, {
      text: 'Hermes live check: **this message** can be deleted.',
      buttons: [[{ label: 'A button', data: 'live-check' }]],
    });
    expect(ids.length).toBeGreaterThan(0);
    await connection.typing?.(chat);
    await connection.edit?.(chat, ids[0] ?? '', { text: 'Hermes live check: edited, without a button.' });
    await connection.sendFile(chat, { name: 'live-check.txt', bytes: Buffer.from('live check\n') });
    await connection.close();
    return proxy && recordingOf(live.name, { frames: proxy.frames, events, secrets: Object.values(values) });
  } finally {
    await proxy?.close();
  }
}
