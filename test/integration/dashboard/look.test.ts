// How the page looks and feels: colours, narrow screens, keys alone, readers of screens, speed, and a thousand sessions.

import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { needService } from '../../services/use-service.ts';
import { type Eye, longestPause, openBrowser, openEye } from './browser.ts';
import { openPageHouse, type PageHouse } from './page-house.ts';
import { scriptWith } from './script.ts';

const VIEWS = ['chat', 'overview', 'sandboxes', 'approvals', 'people', 'audit', 'security'];
const KILO = 1000;

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

describe('the look of the page', () => {
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
    await eye.page.getByLabel('Message', { exact: true }).fill('!echo hello');
    await eye.page.keyboard.press('Enter');
    await eye.page.getByText('Exit code 0').waitFor();
    house.telegram.say({ id: 78, name: 'Kim' }, 'hello');
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const visit = async (view: string, { page } = eye): Promise<void> => {
    await page.goto(`${house.origin()}/#/${view}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
  };

  // What others do on the machine counts in no figure: the best of three is taken.
  it('can be used within a second, and loads less than 150 kB from nowhere else', { retry: 2 }, async () => {
    const readyMs: number[] = [];
    // The best of three, each with nothing kept: the machine may have other things to do.
    for (const _ of [1, 2, 3]) {
      const other = await openEye(browser, { storageState: await eye.context.storageState() });
      let bytes = 0;
      const client = await other.context.newCDPSession(other.page);
      await client.send('Network.enable');
      client.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await other.page.goto(house.origin());
      await other.page.getByLabel('Message', { exact: true }).waitFor();
      readyMs.push(await other.page.evaluate(() => performance.now()));
      expect(bytes).toBeLessThan(150 * KILO);
      expect(other.wrongs).toEqual([]);
      await other.context.close();
    }
    expect(Math.min(...readyMs)).toBeLessThan(1000);
  });

  it.each(['light', 'dark'] as const)(
    'has nothing serious against it for readers of screens, in %s',
    async colorScheme => {
      await eye.page.emulateMedia({ colorScheme });
      for (const view of VIEWS) {
        await visit(view);
        const { violations } = (await eye.page.evaluate(`${axe.source}; axe.run()`)) as AxeResult; // what axe documents
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect({ view, serious: serious.map(({ id, nodes }) => [id, nodes[0]?.html]) }).toEqual({
          view,
          serious: [],
        });
      }
      await visit('sandboxes');
      await eye.page.locator('td a').first().click();
      for (const tab of ['Explain', 'Processes', 'Files', 'Terminal', 'Logs', 'Verify']) {
        await eye.page.getByRole('tab', { name: tab }).click();
        await eye.page.locator('.loading').first().waitFor({ state: 'detached' });
        const { violations } = (await eye.page.evaluate('axe.run()')) as AxeResult; // likewise
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect({ tab, serious: serious.map(({ id, nodes }) => [id, nodes[0]?.html]) }).toEqual({
          tab,
          serious: [],
        });
      }
    },
  );

  it('is dark where the system is, and as the person chooses', async () => {
    const light = async (): Promise<boolean> => {
      const colour = await eye.page.evaluate('getComputedStyle(document.body).backgroundColor');
      return Number(/\d+/.exec(String(colour))?.[0]) > 128;
    };
    await visit('overview');
    await eye.page.emulateMedia({ colorScheme: 'dark' });
    expect(await light()).toBe(false);
    await eye.page.emulateMedia({ colorScheme: 'light' });
    expect(await light()).toBe(true);
    const button = eye.page.getByRole('button', { name: /Colours/ });
    await button.click();
    await button.click();
    expect(await light()).toBe(false);
    await eye.page.reload();
    expect(await light()).toBe(false);
    await button.click();
    expect(await light()).toBe(true);
  });

  it('fits on a phone', async () => {
    const phone = await openEye(browser, {
      storageState: await eye.context.storageState(),
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.page.goto(house.origin());
    for (const view of VIEWS) {
      await visit(view, phone);
      const wide = await phone.page.evaluate('document.documentElement.scrollWidth');
      expect({ view, wide }).toEqual({ view, wide: 360 });
    }
    await phone.page.getByRole('link', { name: 'Chat' }).tap();
    await phone.page.getByLabel('Message', { exact: true }).fill('from a phone');
    await phone.page.getByRole('button', { name: 'Send' }).tap();
    await phone.page.getByText('You said: from a phone').waitFor();
    await phone.context.close();
  });

  it('is used with keys alone', async () => {
    await visit('chat');
    await eye.page.reload();
    await eye.page.getByLabel('Message', { exact: true }).waitFor();
    const tabTo = async (name: string): Promise<void> => {
      for (let at = 0; at < 60; at++) {
        await eye.page.keyboard.press('Tab');
        const label = await eye.page.evaluate(
          '(document.activeElement.ariaLabel || document.activeElement.textContent).trim()',
        );
        if (label === name) return;
      }
      throw new Error(`${name} is not reached with Tab`);
    };
    await eye.page.keyboard.press('Tab');
    expect(await eye.page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await tabTo('Message');
    await eye.page.keyboard.type('by keys');
    await eye.page.keyboard.press('Enter');
    await eye.page.getByText('You said: by keys').waitFor();
    await eye.page.reload();
    await eye.page.getByLabel('Message', { exact: true }).waitFor();
    await tabTo('Sandboxes');
    await eye.page.keyboard.press('Enter');
    await eye.page.locator('td a').first().waitFor();
    expect(await eye.page.evaluate('document.activeElement.id')).toBe('main');
    await tabTo('All sandboxes');
    await eye.page.keyboard.press('Tab');
    await eye.page.keyboard.press('Enter');
    await eye.page.getByRole('tab', { name: 'Explain' }).focus();
    for (const _ of [1, 2, 3]) await eye.page.keyboard.press('ArrowRight');
    await eye.page.keyboard.press('Tab');
    await eye.page.locator('#terminal-line').focus();
    await eye.page.keyboard.type('echo typed-$((2 + 3))');
    await eye.page.keyboard.press('Enter');
    await eye.page.getByText('typed-5').waitFor();
  });

  it('stays smooth with a thousand sessions', { retry: 2 }, async () => {
    const store = await openStore(house.home);
    for (let at = 0; at < 1000; at++) {
      const chat = `chat-${at}`;
      await store.sessions.enter({
        key: `telegram:private:${chat}`,
        kind: 'messaging',
        platform: 'telegram',
        chat,
      });
    }
    await store.close();
    await eye.page.goto(`${house.origin()}/#/chat`);
    const pause = await longestPause(eye.page, async () => {
      await visit('overview');
      await eye.page.getByRole('heading', { name: 'Sessions (1000)' }).waitFor();
      await eye.page.locator('.view').evaluate(view => view.scrollTo(0, 1_000_000));
      await eye.page.getByLabel('Filter sessions').fill('chat-777');
      await expect
        .poll(() => eye.page.getByRole('region', { name: 'Sessions' }).locator('tbody tr').count())
        .toBe(1);
      await eye.page.getByLabel('Filter sessions').fill('');
    });
    expect(pause).toBeLessThan(500);
    expect(eye.wrongs).toEqual([]);
  });
});
