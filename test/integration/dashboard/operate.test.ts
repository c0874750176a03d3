// What an operator does on the page with a sandbox and with the installation: verify, suspend, examine; and a flood of output.
import { chmod } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { needService } from '../../services/use-service.ts';
import { type Eye, openBrowser, openEye } from './browser.ts';
import { openPageHouse, type PageHouse } from './page-house.ts';
import { scriptWith } from './script.ts';

const LONGEST_MS = 100_000;

describe('operating from the page', () => {
  const chromium = needService('chromium');
  needService('bubblewrap');
  let house: PageHouse;
  let browser: Browser;
  let eye: Eye;
  beforeAll(async () => {
    house = await openPageHouse({ script: scriptWith(async () => undefined) });
    browser = await openBrowser(chromium());
    eye = await openEye(browser);
    await eye.page.goto(await house.link());
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });
  afterEach(() => expect(eye.wrongs).toEqual([]));

  const go = (view: string): Promise<unknown> => eye.page.goto(`${house.origin()}/#/${view}`);
  const say = async (text: string): Promise<void> => {
    await go('chat');
    await eye.page.getByLabel('Message', { exact: true }).fill(text);
    await eye.page.keyboard.press('Enter');
  };
  const openSandbox = async (): Promise<void> => {
    await go('sandboxes');
    await eye.page.getByRole('region', { name: 'All sandboxes' }).getByRole('link').first().click();
    await eye.page.getByRole('tab', { name: 'Explain' }).waitFor();
  };
  const badge = (text: string) => eye.page.locator('.title-row .badge', { hasText: text }).waitFor();

  it('keeps the end of five megabytes that a tool prints, and can be used meanwhile', async () => {
    await say('a flood');
    await eye.page.locator('.steps > summary', { hasText: 'seq 1 800000' }).last().click();
    await eye.page.getByLabel('Message', { exact: true }).fill('typed meanwhile');
    await eye.page.getByText('It is over.').last().waitFor();
    await eye.page.getByLabel('Message', { exact: true }).fill('');
    const output = await eye.page.locator('.steps').last().locator('.output').textContent();
    expect(output).toContain('the-end');
    expect(output?.length).toBeLessThan(100_000);
  });

  it('suspends a sandbox, which is woken with its files by the next message', async () => {
    await say('!echo kept > note; echo written-$((1 + 1))');
    await eye.page.getByText('written-2').last().waitFor();
    await openSandbox();
    await eye.page.getByRole('button', { name: 'Suspend' }).click();
    await badge('suspended');
    expect(await eye.page.getByRole('button', { name: 'Suspend' }).isDisabled()).toBe(true);
    expect(JSON.parse((await house.run('sandbox', 'list', '--json')).stdout)).toMatchObject({
      sandboxes: [{ state: 'suspended' }],
    });
    await say('!cat note; echo woken-$((1 + 2))');
    await eye.page.getByText('woken-3').last().waitFor();
    await eye.page.locator('.message', { hasText: /kept\s+woken-3/ }).waitFor();
    await openSandbox();
    await badge('ready');
  });

  it('tries to break out of a sandbox, and shows what became of each attempt', {
    timeout: LONGEST_MS + 20_000,
  }, async () => {
    await openSandbox();
    await eye.page.getByRole('tab', { name: 'Verify' }).click();
    await eye.page.getByRole('button', { name: 'Try to break out' }).click();
    const summary = eye.page.locator('.notice', { hasText: /^\d+ attempts: / });
    await summary.waitFor({ timeout: LONGEST_MS });
    expect(await summary.textContent()).toContain('Nothing is worse than expected.');
    const rows = eye.page.getByRole('region', { name: 'Attempts to break out' }).locator('tbody tr');
    const attempts = Number.parseInt((await summary.textContent()) ?? '', 10);
    expect(attempts).toBeGreaterThan(20);
    expect(await rows.count()).toBe(attempts);
    expect(await rows.first().textContent()).toMatch(/contained/);
    // It was tried in a sandbox of its own, and that is gone.
    const { sandboxes } = JSON.parse((await house.run('sandbox', 'list', '--json')).stdout);
    expect(sandboxes).toHaveLength(1);
  });

  it('examines everything at the press of a button, and shows what to do about what it finds', {
    timeout: LONGEST_MS,
  }, async () => {
    await chmod(house.home, 0o755);
    await go('security');
    const card = eye.page.getByRole('region', { name: 'Does it work?' });
    await card.getByRole('button', { name: 'Examine' }).click();
    const areas = eye.page.getByRole('region', { name: 'What was examined' }).locator('tbody tr');
    await areas.first().waitFor({ timeout: LONGEST_MS });
    await chmod(house.home, 0o700);
    const seen = await areas.allTextContents();
    expect(seen.find(row => row.startsWith('backends'))).toContain('bubblewrap');
    expect(seen.find(row => row.startsWith('platforms'))).toContain('telegram');
    const finding = card.locator('.findings > li', { hasText: 'Its mode is 0755' });
    expect(await finding.locator('.fix').textContent()).toContain(`chmod 700 ${house.home}`);
  });
});
