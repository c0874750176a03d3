// A connection of the signal platform for tests, with what came over it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Connection, Platform, PlatformEvent } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/signal/index.ts';
import { section } from '../../../src/platforms/signal/settings.ts';
import { type SignalDouble, type SignalOptions, startSignal } from '../../doubles/signal-server.ts';
import { hastyClock } from '../../fixtures/hasty-clock.ts';
import { type Line, logInto, openLine } from './line.ts';

export type MessageEvent = Extract<PlatformEvent, { kind: 'message' }>;

export interface SignalLine extends Line {
  /** The first message with this text, now or later. */
  message(text: string): Promise<MessageEvent>;
  button(): Promise<PlatformEvent>;
}

export interface SignalHouse {
  readonly signal: SignalDouble;
  readonly home: string;
  readonly log: readonly string[];
  platform(environment?: Readonly<Record<string, string>>): Promise<Platform>;
  /** With waits twenty times as short as they should be, unless a clock is given. Closed when the test is over. */
  connect(
    environment?: Readonly<Record<string, string>>,
    receive?: (event: PlatformEvent) => Promise<void>,
  ): Promise<SignalLine>;
}

/** Called in a test; what it makes is gone after it. */
export async function openSignal(
  options: SignalOptions = {},
  clock: Clock = hastyClock,
): Promise<SignalHouse> {
  const [signal, home] = await Promise.all([startSignal(options), mkdtemp(join(tmpdir(), 'signal-line-'))]);
  const lines: string[] = [];
  const open: Connection[] = [];
  onTestFinished(async () => {
    for (const connection of open) await connection.close();
    await signal.close();
    await rm(home, { recursive: true });
  });
  const platform: SignalHouse['platform'] = async (environment = {}) => {
    const set = { SIGNAL_HTTP_URL: signal.url, SIGNAL_ACCOUNT: signal.account.number, ...environment };
    const config = await loadConfig({
      sections: [section],
      environment: { HERMES_HOME: '/nonexistent', ...set },
      flags: {},
    });
    const made = createPlatform(config, { clock, log: logInto(lines), home });
    if (!made) throw new Error('it is set up, and there is none');
    return made;
  };
  const connect: SignalHouse['connect'] = async (environment, receive = async () => {}) => {
    const line = await lineOf(await platform(environment), receive);
    open.push(line.connection);
    return line;
  };
  return { signal, home, log: lines, platform, connect };
}

async function lineOf(
  platform: Platform,
  receive: (event: PlatformEvent) => Promise<void>,
): Promise<SignalLine> {
  const line = await openLine(platform, receive);
  const { events, when } = line;
  return {
    ...line,
    message: text =>
      when(() =>
        events.find((event): event is MessageEvent => event.kind === 'message' && event.text === text),
      ),
    button: () => line.event(({ kind }) => kind === 'button'),
  };
}
