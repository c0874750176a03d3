// A connection of the whatsapp platform for tests, with what came over it and a way to knock at its webhook.
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Connection, Platform, PlatformEvent, PlatformState } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/whatsapp/index.ts';
import { section } from '../../../src/platforms/whatsapp/settings.ts';
import { hastyClock } from '../../conformance-platforms/trial.ts';
import type { WhatsAppDouble } from '../../doubles/whatsapp-server.ts';

export interface WhatsAppLine {
  readonly platform: Platform;
  readonly connection: Connection;
  /** Of its webhook. */
  readonly url: string;
  readonly events: readonly PlatformEvent[];
  readonly states: readonly PlatformState[];
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** The first event for which it holds, now or later. */
  event(holds: (event: PlatformEvent) => boolean): Promise<PlatformEvent>;
}

export interface LineOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly receive?: (event: PlatformEvent) => Promise<void>;
}

function environmentOf(whatsapp: WhatsAppDouble): Readonly<Record<string, string>> {
  return {
    HERMES_HOME: '/nonexistent',
    WHATSAPP_ACCESS_TOKEN: whatsapp.token,
    WHATSAPP_PHONE_NUMBER_ID: whatsapp.phoneNumberId,
    WHATSAPP_APP_SECRET: whatsapp.appSecret,
    WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
    WHATSAPP_API_ROOT: whatsapp.apiRoot,
    WHATSAPP_PORT: '0',
  };
}

/** With waits twenty times as short as they should be. */
export async function connectWhatsApp(
  whatsapp: WhatsAppDouble,
  { environment = {}, home, receive = async () => undefined }: LineOptions = {},
): Promise<WhatsAppLine> {
  const config = await loadConfig({
    sections: [section],
    environment: { ...environmentOf(whatsapp), ...environment },
    flags: {},
  });
  const log: string[] = [];
  const platform = createPlatform(config, {
    clock: hastyClock,
    log: createLog({
      level: 'debug',
      destination: { write: (line: string) => void log.push(line) },
      redact: line => line,
      now: () => systemClock.now(),
    }),
    ...(home === undefined ? {} : { home }),
  });
  if (!platform) throw new Error('it is set up, and there is none');
  const events: PlatformEvent[] = [];
  const states: PlatformState[] = [];
  const watchers = new Set<() => void>();
  const connection = await platform.connect({
    async receive(event) {
      await receive(event);
      events.push(event);
      for (const watcher of watchers) watcher();
    },
    onState: state => void states.push(state),
  });
  const url = /http:\S+/.exec(connection.account)?.[0] ?? '';
  whatsapp.webhooks.send(url);
  return {
    ...{ platform, connection, url, events, states, log },
    event: holds =>
      new Promise(resolve => {
        const check = (): void => {
          const found = events.find(holds);
          if (!found) return;
          watchers.delete(check);
          resolve(found);
        };
        watchers.add(check);
        check();
      }),
  };
}
