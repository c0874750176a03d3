// A connection of the signal platform for tests, with what came over it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Connection, Platform, PlatformEvent, PlatformState } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/signal/index.ts';
import { section } from '../../../src/platforms/signal/settings.ts';
import { hastyClock } from '../../conformance-platforms/trial.ts';
import { type SignalDouble, type SignalOptions, startSignal } from '../../doubles/signal-server.ts';

export type MessageEvent = Extract<PlatformEvent, { kind: 'message' }>;

export interface SignalLine {
  readonly connection: Connection;
  readonly events: readonly PlatformEvent[];
  readonly states: readonly PlatformState[];
  /** The first message with this text, now or later. */
  message(text: string): Promise<MessageEvent>;
  button(): Promise<PlatformEvent>;
  /** The first state of this kind after so many. */
  state(kind: PlatformState['kind'], after?: number): Promise<PlatformState>;
}

export interface SignalHouse {
  readonly signal: SignalDouble;
  readonly home: string;
  readonly log: readonly string[];
  platform(environment?: Readonly<Record<string, string>>): Promise<Platform>;
  /** With waits twenty times as short as they should be. Closed when the test is over. */
  connect(
    environment?: Readonly<Record<string, string>>,
    receive?: (event: PlatformEvent) => Promise<void>,
  ): Promise<SignalLine>;
}

/** Called in a test; what it makes is gone after it. */
export async function openSignal(options: SignalOptions = {}): Promise<SignalHouse> {
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
    const destination = { write: (line: string) => void lines.push(line) };
    const log = createLog({ level: 'debug', destination, redact: each => each, now: systemClock.now });
    const made = createPlatform(config, { clock: hastyClock, log, home });
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
  const events: PlatformEvent[] = [];
  const states: PlatformState[] = [];
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  const when = <T>(look: () => T | undefined): Promise<T> =>
    new Promise(resolve => {
      const check = (): void => {
        const found = look();
        if (found === undefined) return;
        watchers.delete(check);
        resolve(found);
      };
      watchers.add(check);
      check();
    });
  const connection = await platform.connect({
    async receive(event) {
      await receive(event);
      events.push(event);
      changed();
    },
    onState(state) {
      states.push(state);
      changed();
    },
  });
  const isMessage = (event: PlatformEvent): event is MessageEvent => event.kind === 'message';
  return {
    ...{ connection, events, states },
    message: text => when(() => events.filter(isMessage).find(event => event.text === text)),
    button: () => when(() => events.find(({ kind }) => kind === 'button')),
    state: (kind, after = 0) => when(() => states.slice(after).find(state => state.kind === kind)),
  };
}
