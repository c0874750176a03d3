// Debian's Chromium, for tests that look at the dashboard as a person does.
import { commandsOf } from './apt.ts';
import type { Service } from './service.ts';

export interface ChromiumAddress {
  readonly executablePath: string;
  /** Keep it headless, off the network and able to start as root. Give it a fresh --user-data-dir as well. */
  readonly args: readonly string[];
}

/** Keep it headless, off the network and able to start as root. */
export const chromiumArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const chromium: Service<ChromiumAddress> = {
  name: 'chromium',
  async start(context) {
    const programs = await commandsOf(context, { chromium: 'chromium' });
    return {
      address: { executablePath: programs.chromium, args: chromiumArguments },
      stop: async () => undefined,
    };
  },
};
