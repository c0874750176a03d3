// A real browser that looks at the page as a person does, and keeps an eye on what no page of ours may do.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { ChromiumAddress } from '../../services/chromium.ts';
import { PATIENCE_MS } from '../../wait.ts';

export interface Eye {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, violations of the content policy, dialogs, and requests to anywhere else. */
  readonly wrongs: string[];
}

/** The path of a socket of its own must be short, which that of a test's folder is not. */
export async function openBrowser({ executablePath, args }: ChromiumAddress): Promise<Browser> {
  const folder = await mkdtemp('/tmp/hermes-browser-');
  const browser = await chromium.launch({
    executablePath,
    args: [...args],
    env: { ...process.env, TMPDIR: folder },
  });
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

export async function openEye(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Eye> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const wrongs: string[] = [];
  page.on('pageerror', error => wrongs.push(`error: ${error.message}`));
  page.on('dialog', async dialog => {
    wrongs.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('console', message => {
    if (/content security policy|trusted ?type/i.test(message.text()))
      wrongs.push(`policy: ${message.text()}`);
  });
  page.on('request', request => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== '127.0.0.1' && protocol !== 'blob:') wrongs.push(`request: ${request.url()}`);
  });
  return { page, context, wrongs };
}
