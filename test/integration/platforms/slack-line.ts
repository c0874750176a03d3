// A connection of the slack platform for tests, with what came over it.
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Connection, Platform, PlatformEvent, PlatformState } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/slack/index.ts';
import { section } from '../../../src/platforms/slack/settings.ts';
import { hastyClock } from '../../conformance-platforms/trial.ts';

export interface SlackAddress {
  readonly apiRoot: string;
  readonly botToken: string;
  readonly appToken: string;
}

export interface SlackLine {
  readonly connection: Connection;
  readonly events: readonly PlatformEvent[];
  readonly states: readonly PlatformState[];
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** The first event for which it holds, now or later. */
  event(holds: (event: PlatformEvent) => boolean): Promise<PlatformEvent>;
  message(text: string): Promise<PlatformEvent>;
  /** The first state of this kind after so many. */
  state(kind: PlatformState['kind'], after?: number): Promise<PlatformState>;
}

/** With waits twenty times as short as they should be. */
export async function slackPlatform(
  { apiRoot, botToken, appToken }: SlackAddress,
  lines: string[] = [],
): Promise<Platform> {
  const environment = {
    HERMES_HOME: '/nonexistent',
    SLACK_API_ROOT: apiRoot,
    ...(botToken === '' ? {} : { SLACK_BOT_TOKEN: botToken }),
    ...(appToken === '' ? {} : { SLACK_APP_TOKEN: appToken }),
  };
  const config = await loadConfig({ sections: [section], environment, flags: {} });
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'debug', destination, redact: line => line, now: () => systemClock.now() });
  const platform = createPlatform(config, { clock: hastyClock, log });
  if (!platform) throw new Error('it is not set up, and there is none');
  return platform;
}

export async function connectSlack(
  address: SlackAddress,
  receive: (event: PlatformEvent) => Promise<void> = async () => undefined,
): Promise<SlackLine> {
  const log: string[] = [];
  const platform = await slackPlatform(address, log);
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
  const event: SlackLine['event'] = holds => when(() => events.find(holds));
  return {
    ...{ connection, events, states, log, event },
    message: text => event(each => each.kind === 'message' && each.text === text),
    state: (kind, after = 0) => when(() => states.slice(after).find(state => state.kind === kind)),
  };
}
