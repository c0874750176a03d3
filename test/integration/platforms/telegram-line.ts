// A connection of the telegram platform for tests, with what came over it.
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Connection, PlatformEvent, PlatformState } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/telegram/index.ts';
import { section } from '../../../src/platforms/telegram/settings.ts';
import { hastyClock } from '../../conformance-platforms/trial.ts';

export interface TelegramLine {
  readonly connection: Connection;
  readonly states: readonly PlatformState[];
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** The first event for which it holds, now or later. */
  event(holds: (event: PlatformEvent) => boolean): Promise<PlatformEvent>;
  /** The first state of this kind after so many. */
  state(kind: PlatformState['kind'], after?: number): Promise<PlatformState>;
}

/** With waits twenty times as short as they should be. */
export async function connectTelegram(
  { apiRoot, token }: { readonly apiRoot: string; readonly token: string },
  receive: (event: PlatformEvent) => Promise<void> = async () => undefined,
): Promise<TelegramLine> {
  const environment = { HERMES_HOME: '/nonexistent', TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot };
  const config = await loadConfig({ sections: [section], environment, flags: {} });
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'debug', destination, redact: line => line, now: () => systemClock.now() });
  const platform = createPlatform(config, { clock: hastyClock, log });
  if (!platform) throw new Error('it is set up, and there is none');
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
  return {
    connection,
    states,
    log: lines,
    event: holds => when(() => events.find(holds)),
    state: (kind, after = 0) => when(() => states.slice(after).find(state => state.kind === kind)),
  };
}
