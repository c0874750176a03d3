// The slack platform: an app of a Slack workspace, by Socket Mode and the Web API.
import { HermesError } from '../../base/errors.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type { PlatformDriver } from '../platform.ts';
import { capabilities } from './capabilities.ts';
import { check, connect } from './connection.ts';
import type { section } from './settings.ts';

type SlackSettings = SettingsReader<
  Pick<
    (typeof section)['settings'],
    'slack.bot_token' | 'slack.app_token' | 'slack.api_root' | 'slack.reply_in_thread'
  >
>;

export const createPlatform: PlatformDriver<SlackSettings>['createPlatform'] = (settings, context) => {
  const botToken = settings.get('slack.bot_token');
  const appToken = settings.get('slack.app_token');
  if (botToken === undefined && appToken === undefined) return undefined;
  if (botToken === undefined || appToken === undefined) throw half(botToken === undefined ? 'bot' : 'app');
  const apiRoot = settings.get('slack.api_root').replace(/\/+$/, '');
  const replies = settings.get('slack.reply_in_thread') ? 'in-thread' : 'in-channel';
  const options = { endpoint: { apiRoot, botToken, appToken }, replies } as const;
  return {
    name: 'slack',
    capabilities,
    check: given => check(options, context, given?.signal),
    connect: given => connect(options, context, given),
  };
};

function half(missing: 'bot' | 'app'): HermesError {
  const [name, prefix] = missing === 'bot' ? ['slack.bot_token', 'xoxb-'] : ['slack.app_token', 'xapp-'];
  const message = `Slack needs two tokens, and \`${name}\` (${prefix}…) is missing. Set it, or remove the other one.`;
  return new HermesError('CONFIG_INVALID', message, { details: { missing: name } });
}
