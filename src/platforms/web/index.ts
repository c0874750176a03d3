// The web platform: a chat on this machine over WebSocket. The page that shows it is not part of it.
import { isLoopback } from '../../base/loopback.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type { PlatformDriver } from '../platform.ts';
import { connectWeb } from './connection.ts';
import { MAX_BUTTON_DATA, MAX_FILE, MAX_TEXT } from './protocol.ts';
import type { section } from './settings.ts';

type WebSettings = SettingsReader<
  Pick<(typeof section)['settings'], 'web.enabled' | 'web.host' | 'web.port' | 'web.secret' | 'web.origins'>
>;

export const createPlatform: PlatformDriver<WebSettings>['createPlatform'] = (settings, context) => {
  if (!settings.get('web.enabled')) return undefined;
  const [host, port] = [settings.get('web.host'), settings.get('web.port')];
  const [secret, origins] = [settings.get('web.secret'), settings.get('web.origins')];
  return {
    name: 'web',
    capabilities: {
      maxText: MAX_TEXT,
      edits: true,
      editEveryMs: 100,
      buttons: true,
      maxButtonData: MAX_BUTTON_DATA,
      typing: true,
      groups: false,
      threads: false,
      maxFileIn: MAX_FILE,
      maxFileOut: MAX_FILE,
      isPublic: !isLoopback(host),
    },
    connect: options => connectWeb({ host, port, secret, origins }, context, options),
  };
};
