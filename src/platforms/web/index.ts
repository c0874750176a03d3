// The web platform: a chat on this machine over WebSocket, and the address of whatever pages it is given.
import { HermesError } from '../../base/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type { PlatformDriver } from '../platform.ts';
import { connectWeb } from './connection.ts';
import { MAX_BUTTON_DATA, MAX_FILE, MAX_TEXT } from './protocol.ts';
import type { section } from './settings.ts';

type WebSettings = SettingsReader<
  Pick<
    (typeof section)['settings'],
    'web.enabled' | 'web.host' | 'web.port' | 'web.secret' | 'web.password' | 'web.origins'
  >
>;

export const createPlatform: PlatformDriver<WebSettings>['createPlatform'] = (settings, context) => {
  if (!settings.get('web.enabled')) return undefined;
  const [host, port] = [settings.get('web.host'), settings.get('web.port')];
  const [secret, origins] = [settings.get('web.secret'), settings.get('web.origins')];
  const password = settings.get('web.password');
  if (!isLoopback(host) && password === undefined) {
    throw new HermesError(
      'CONFIG_INVALID',
      `web.host is ${host}, which others can reach, and there is no web.password. Set one, or set web.host to 127.0.0.1 and tunnel it.`,
      { details: { setting: 'web.password' } },
    );
  }
  return {
    name: 'web',
    warnings: isLoopback(host) ? [] : [exposed(host)],
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
    connect: options => connectWeb({ host, port, secret, password, origins }, context, options),
  };
};

function exposed(host: string): string {
  return `⚠ web.host is ${host}: the page of this gateway can be reached from elsewhere, and nothing is encrypted. Put a proxy with TLS before it, or use 127.0.0.1.`;
}
