// The telegram platform: a bot of Telegram's, by long polling over the Bot API.
import type { SettingsReader } from '../../base/setting.ts';
import type { PlatformDriver } from '../platform.ts';
import { capabilities } from './capabilities.ts';
import type { section } from './settings.ts';

type TelegramSettings = SettingsReader<
  Pick<(typeof section)['settings'], 'telegram.bot_token' | 'telegram.api_root'>
>;

export const createPlatform: PlatformDriver<TelegramSettings>['createPlatform'] = (settings, context) => {
  const token = settings.get('telegram.bot_token');
  if (token === undefined) return undefined;
  const apiRoot = settings.get('telegram.api_root').replace(/\/+$/, '');
  // With it comes the library, which nobody needs whose platform is off.
  const connection = () => import('./connection.ts');
  return {
    name: 'telegram',
    capabilities,
    check: async options => (await connection()).check({ apiRoot, token }, context, options?.signal),
    connect: async options => (await connection()).connect({ apiRoot, token }, context, options),
  };
};
