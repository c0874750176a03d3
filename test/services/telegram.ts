// Telegram's bot API on loopback, an independent double: plain messages, edits and buttons, no files.
import { TelegramServer } from 'telegram-test-api/lib/telegramServer.js';
import { freePort } from './free-port.ts';
import type { Service } from './service.ts';

export interface TelegramAddress {
  /** grammY's `apiRoot`. The chat's side posts to /sendMessage, /sendCommand, /sendCallback and /getUpdates below it. */
  readonly apiRoot: string;
}

export const telegram: Service<TelegramAddress> = {
  name: 'telegram',
  async start() {
    const [host, port] = ['127.0.0.1', await freePort()];
    const server = new TelegramServer({ host, port });
    await server.start();
    return {
      address: { apiRoot: `http://${host}:${port}` },
      stop: async () => void (await server.stop()),
    };
  },
};
