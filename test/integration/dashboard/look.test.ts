// How the page looks and feels: colours, narrow screens, keys alone, readers of screens, speed, and a thousand sessions.

import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { needService } from '../../services/use-service.ts';
import { type Eye, openBrowser, openEye } from './browser.ts';
import { openPageHouse, type PageHouse } from './page-house.ts';
import { scriptWith } from './script.ts';

const VIEWS = ['chat', 'overview', 'sandboxes', 'approvals', 'people', 'audit', 'security'];
const KILO = 1000;
const MOST_REQUESTS = 60;
/** More are drawn when somebody asks for them. */
const MOST_ROWS = 200;

/** A word as long as a name may be. */
const LONG = 'W'.repeat(60);
/** Texts that reach beyond their card or their place in the list of pages, and tables that are cut off. */
const STICKING_OUT = `(() => {
  const found = [...document.querySelectorAll('.table')].filter(it => it.scrollWidth > it.clientWidth + 1);
  const texts = [...document.querySelectorAll('main .card *, nav a *')].filter(it => {
    const place = it.closest('pre, .count, thead') ? null : it.closest('nav a, .card');
    const own = [...it.childNodes].some(child => child.nodeType === 3 && child.data.trim() !== '');
    if (!place || !own) return false;
    const range = document.createRange();
    range.selectNodeContents(it);
    const [inner, outer] = [range.getBoundingClientRect(), place.getBoundingClientRect()];
    return inner.width > 2 && (inner.right > outer.right + 1 || inner.left < outer.left - 1);
  });
  return [...found, ...texts].map(it => it.textContent.slice(0, 80));
})()`;
/** Words that are broken in two though they are short. */
const BROKEN = `[...document.querySelectorAll('.badge')]
  .filter(it => /^[\\w-]{1,16}$/.test(it.textContent) && it.getClientRects().length > 0
    && it.getBoundingClientRect().height > 1.9 * parseFloat(getComputedStyle(it).fontSize))
  .map(it => it.textContent)`;

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
    await eye.page.getByLabel('Message', { exact: true }).fill(`!echo a ${'longer '.repeat(20)} line`);
    await eye.page.keyboard.press('Enter');
    await eye.page.getByText('Exit code 0').nth(1).waitFor();
    house.telegram.say({ id: 78, name: `Kim ${LONG}` }, 'hello');
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

  it('loads less than 150 kB in few requests, and from nowhere else', async () => {
    const other = await openEye(browser, { storageState: await eye.context.storageState() });
    let [bytes, requests] = [0, 0];
    const client = await other.context.newCDPSession(other.page);
    await client.send('Network.enable');
    client.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      requests += 1;
    });
    await other.page.goto(house.origin());
    await other.page.getByLabel('Message', { exact: true }).waitFor();
    expect(bytes).toBeLessThan(150 * KILO);
    expect(requests).toBeLessThan(MOST_REQUESTS);
    expect(other.wrongs).toEqual([]);
    await other.context.close();
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

  it('keeps long names in their cards, and short words whole', async () => {
    for (const view of ['people', 'audit', 'overview', 'approvals']) {
      await visit(view);
      if (view === 'people') await eye.page.getByText(LONG).first().waitFor();
      expect({ view, out: await eye.page.evaluate(STICKING_OUT) }).toEqual({ view, out: [] });
      expect({ view, broken: await eye.page.evaluate(BROKEN) }).toEqual({ view, broken: [] });
    }
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
      expect({ view, out: await phone.page.evaluate(STICKING_OUT) }).toEqual({ view, out: [] });
    }
    await visit('sandboxes', phone);
    await phone.page.locator('td a').first().tap();
    await phone.page.getByText('Where, and why').waitFor();
    expect(await phone.page.evaluate(STICKING_OUT)).toEqual([]);
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

  it('draws a part of a thousand sessions, and finds each of them', async () => {
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
    const rows = () => eye.page.getByRole('region', { name: 'Sessions' }).locator('tbody tr').count();
    await visit('overview');
    await eye.page.getByRole('heading', { name: 'Sessions (1000)' }).waitFor();
    expect(await rows()).toBeLessThanOrEqual(MOST_ROWS);
    await eye.page.locator('.view').evaluate(view => view.scrollTo(0, 1_000_000));
    await eye.page.getByLabel('Filter sessions').fill('chat-777');
    await expect.poll(rows).toBe(1);
    await eye.page.getByLabel('Filter sessions').fill('');
    await expect.poll(rows).toBeGreaterThan(1);
    expect(await rows()).toBeLessThanOrEqual(MOST_ROWS);
    expect(eye.wrongs).toEqual([]);
  });
});
