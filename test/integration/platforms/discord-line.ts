// A connection of the discord platform for tests, with what came over it.
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { createPlatform } from '../../../src/platforms/discord/index.ts';
import { section } from '../../../src/platforms/discord/settings.ts';
import type { Connection, Platform, PlatformEvent, PlatformState } from '../../../src/platforms/platform.ts';
import { hastyClock } from '../../conformance-platforms/trial.ts';

export type MessageEvent = Extract<PlatformEvent, { kind: 'message' }>;

export interface DiscordLine {
  readonly connection: Connection;
  readonly events: readonly PlatformEvent[];
  readonly states: readonly PlatformState[];
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** The first message with this text, now or later. */
  message(text: string): Promise<MessageEvent>;
  button(): Promise<Extract<PlatformEvent, { kind: 'button' }>>;
  /** The first state of this kind after so many. */
  state(kind: PlatformState['kind'], after?: number): Promise<PlatformState>;
}

export interface LineOptions {
  readonly receive?: (event: PlatformEvent) => Promise<void>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly home?: string;
  /** Absent = waits are twenty times as short as they should be. */
  readonly clock?: Clock;
}

interface Endpoint {
  readonly apiRoot: string;
  readonly token: string;
}

export async function discordPlatform(
  { apiRoot, token }: Endpoint,
  options: LineOptions,
  lines: string[],
): Promise<Platform> {
  const environment = {
    ...{ HERMES_HOME: '/nonexistent', DISCORD_BOT_TOKEN: token, DISCORD_API_ROOT: apiRoot },
    ...options.environment,
  };
  const config = await loadConfig({ sections: [section], environment, flags: {} });
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'debug', destination, redact: line => line, now: () => systemClock.now() });
  const { home, clock = hastyClock } = options;
  const platform = createPlatform(config, { clock, log, ...(home === undefined ? {} : { home }) });
  if (!platform) throw new Error('it is set up, and there is none');
  return platform;
}

export async function connectDiscord(endpoint: Endpoint, options: LineOptions = {}): Promise<DiscordLine> {
  const lines: string[] = [];
  const platform = await discordPlatform(endpoint, options, lines);
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
      await options.receive?.(event);
      events.push(event);
      changed();
    },
    onState(state) {
      states.push(state);
      changed();
    },
  });
  return {
    ...{ connection, events, states, log: lines },
    message: text =>
      when(() =>
        events.find((event): event is MessageEvent => event.kind === 'message' && event.text === text),
      ),
    button: () =>
      when(() => events.find(each => each.kind === 'button') as Awaited<ReturnType<DiscordLine['button']>>), // by its kind
    state: (kind, after = 0) => when(() => states.slice(after).find(state => state.kind === kind)),
  };
}
