// The signal platform: an account of Signal's, through a signal-cli daemon over HTTP.
import { HermesError } from '../../base/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type { PlatformDriver } from '../platform.ts';
import { capabilities } from './capabilities.ts';
import { check, connect } from './connection.ts';
import { folderIn } from './folder.ts';
import { People } from './people.ts';
import type { section } from './settings.ts';

type SignalSettings = SettingsReader<
  Pick<
    (typeof section)['settings'],
    'signal.http_url' | 'signal.account' | 'signal.allowed_groups' | 'signal.allowed_users'
  >
>;

export const createPlatform: PlatformDriver<SignalSettings>['createPlatform'] = (settings, context) => {
  const url = settings.get('signal.http_url')?.replace(/\/+$/, '');
  const account = settings.get('signal.account');
  if (url === undefined && account === undefined) return undefined;
  if (url === undefined || account === undefined) {
    const [has, lacks] =
      url === undefined ? ['signal.account', 'signal.http_url'] : ['signal.http_url', 'signal.account'];
    const message = `\`${has}\` is set and \`${lacks}\` is not. Signal needs the address of a signal-cli daemon and the number of its account: set both, or neither.`;
    throw new HermesError('CONFIG_INVALID', message, { details: { has, lacks } });
  }
  const folder = folderIn(context.home);
  const listed = settings.get('signal.allowed_users');
  const people = new People({ folder, log: context.log, listed });
  const groups = settings.get('signal.allowed_groups');
  const setup = { endpoint: { url, account }, groups, people, folder };
  return {
    name: 'signal',
    capabilities,
    ...warningsOf(url),
    check: options => check(setup, context, options?.signal),
    sameAs: id => people.sameAs(id),
    connect: options => connect(setup, context, options),
  };
};

function warningsOf(url: string): { readonly warnings?: readonly string[] } {
  const host = URL.parse(url)?.hostname ?? '';
  if (isLoopback(host)) return {};
  return {
    warnings: [
      `The signal-cli daemon at ${url} is on another machine and asks nobody for a password: whoever reaches it can read and write as your account. Let it listen on 127.0.0.1, or keep others out of that network.`,
    ],
  };
}
