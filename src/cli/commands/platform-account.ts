// Who the gateway is on a platform, asked of the service itself.
import type { Abortable } from '../../base/abortable.ts';
import type { Platform } from '../../platforms/platform.ts';

/** In words. Throws AUTH_PLATFORM_TOKEN, UNAVAILABLE_PLATFORM and the like. Where it cannot be asked otherwise one connects. */
export async function askAccount(platform: Platform, options: Abortable): Promise<string> {
  if (platform.check) return platform.check(options);
  const connection = await platform.connect({ ...options, receive: async () => {}, onState: () => {} });
  const { account } = connection;
  await connection.close();
  return account;
}
