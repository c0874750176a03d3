// The whatsapp platform: a number of the WhatsApp Business Platform, by the Cloud API and a webhook of its own.
import { docsPath } from '../../base/docs-path.ts';
import { HermesError } from '../../base/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type { PlatformDriver } from '../platform.ts';
import { capabilities } from './capabilities.ts';
import { check, connect, type WhatsAppSetup } from './connection.ts';
import { PeopleBook } from './people-book.ts';
import type { section } from './settings.ts';

type WhatsAppSettings = SettingsReader<
  Omit<
    (typeof section)['settings'],
    'whatsapp.allowed_users' | 'whatsapp.allow_all_users' | 'whatsapp.unauthorized_dm_behavior'
  >
>;

const NEEDED = [
  'whatsapp.access_token',
  'whatsapp.phone_number_id',
  'whatsapp.app_secret',
  'whatsapp.verify_token',
] as const;

export const createPlatform: PlatformDriver<WhatsAppSettings>['createPlatform'] = (settings, context) => {
  const given = setupOf(settings);
  if (!given) return undefined;
  let opened: Promise<PeopleBook> | undefined;
  const book = (): Promise<PeopleBook> => {
    opened ??= PeopleBook.open(context.home, context.log);
    return opened;
  };
  const setup: WhatsAppSetup = { ...given, book };
  return {
    name: 'whatsapp',
    capabilities,
    warnings: isLoopback(setup.host) ? [] : [exposed(setup.host)],
    check: options => check(setup, context, options?.signal),
    sameAs: async senderId => (await book()).sameAs(senderId),
    connect: options => connect(setup, context, options),
  };
};

/** Undefined when nothing of it is set. Throws CONFIG_INVALID when a part is missing. */
function setupOf(settings: WhatsAppSettings): Omit<WhatsAppSetup, 'book'> | undefined {
  const [token, phoneNumberId, appSecret, verifyToken] = NEEDED.map(key => settings.get(key));
  const missing = NEEDED.filter(key => settings.get(key) === undefined);
  if (missing.length === NEEDED.length) return undefined;
  if (!token || !phoneNumberId || !appSecret || !verifyToken) {
    const message = `WhatsApp is set up in half: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. ${docsPath('platforms/whatsapp.md')} says where they come from.`;
    throw new HermesError('CONFIG_INVALID', message, { details: { missing } });
  }
  const name = settings.get('whatsapp.template_name');
  return {
    endpoint: { apiRoot: settings.get('whatsapp.api_root').replace(/\/+$/, ''), token, phoneNumberId },
    ...{ appSecret, verifyToken },
    host: settings.get('whatsapp.host'),
    port: settings.get('whatsapp.port'),
    groups: settings.get('whatsapp.allowed_groups'),
    template: name === undefined ? undefined : { name, language: settings.get('whatsapp.template_language') },
  };
}

function exposed(host: string): string {
  return `⚠ whatsapp.host is ${host}: the webhook can be reached from elsewhere, and nothing is encrypted. Put a proxy with TLS before it, or use 127.0.0.1.`;
}
