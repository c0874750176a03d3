// A connection of the whatsapp platform for tests, with what came over it and a way to knock at its webhook.
import type { Clock } from '../../../src/base/clock.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Platform, PlatformEvent } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/whatsapp/index.ts';
import { section } from '../../../src/platforms/whatsapp/settings.ts';
import type { WhatsAppDouble } from '../../doubles/whatsapp-server.ts';
import { hastyClock } from '../../fixtures/hasty-clock.ts';
import { type Line, logInto, openLine } from './line.ts';

export interface WhatsAppLine extends Line {
  readonly platform: Platform;
  /** Of its webhook. */
  readonly url: string;
  /** Lines of the log so far. */
  readonly log: readonly string[];
}

export interface LineOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly home?: string;
  /** Absent = waits are twenty times as short as they should be. */
  readonly clock?: Clock;
  readonly receive?: (event: PlatformEvent) => Promise<void>;
}

export function environmentOf(whatsapp: WhatsAppDouble): Readonly<Record<string, string>> {
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

export async function connectWhatsApp(
  whatsapp: WhatsAppDouble,
  { environment = {}, home, receive, clock = hastyClock }: LineOptions = {},
): Promise<WhatsAppLine> {
  const config = await loadConfig({
    sections: [section],
    environment: { ...environmentOf(whatsapp), ...environment },
    flags: {},
  });
  const log: string[] = [];
  const platform = createPlatform(config, {
    clock,
    log: logInto(log),
    ...(home === undefined ? {} : { home }),
  });
  if (!platform) throw new Error('it is set up, and there is none');
  const line = await openLine(platform, receive);
  const url = /http:\S+/.exec(line.connection.account)?.[0] ?? '';
  whatsapp.webhooks.send(url);
  return { ...line, platform, url, log };
}
