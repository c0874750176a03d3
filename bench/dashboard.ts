// How soon the page can be used and how smooth it stays, in a real browser, beside bare pages in the same browser.
import type { Page } from 'playwright-core';
import { openStore } from '../src/store/open.ts';
import { openBrowser, openEye } from '../test/integration/dashboard/browser.ts';
import { openPageHouse, type PageHouse } from '../test/integration/dashboard/page-house.ts';
import { scriptWith } from '../test/integration/dashboard/script.ts';
import { defineBench } from './bench.ts';
import { longestPause } from './longest-pause.ts';

const SESSIONS = 1000;
/** Five megabytes, as a tool prints them in a chat. */
const FLOOD = '!seq 1 800000';

/** Of the browser, where the functions that are given to it run. */
declare const document: { body: { innerHTML: string } };

export const dashboard = defineBench({
  title: 'The page in a browser',
  about: `Chromium, nothing cached. Smooth: the longest time without a new frame; the reference draws ${SESSIONS} plain rows at once.`,
  rounds: 10,
  needs: ['chromium', 'bubblewrap'],
  cases: {
    empty: { name: 'an empty answer of the same server loaded' },
    usable: { name: 'the page loaded and its message box there', against: 'empty', limit: 12 },
    rows: { name: `longest pause: ${SESSIONS} plain rows drawn` },
    sessions: {
      name: `longest pause: ${SESSIONS} sessions shown, scrolled, filtered`,
      against: 'rows',
      limit: 6,
    },
    flood: { name: 'longest pause: a command prints 5 MB', against: 'rows', limit: 10 },
  },
  async open(use) {
    const house = await openPageHouse({ script: scriptWith(async () => undefined) });
    const browser = await openBrowser(await use('chromium'));
    const eye = await openEye(browser);
    eye.context.setDefaultTimeout(60_000);
    await eye.page.goto(await house.link());
    await messageBox(eye.page).waitFor();
    await enterSessions(house);
    const { context: bareContext, page: bare } = await openEye(browser);
    const { origin } = house;
    let fresh: Awaited<ReturnType<typeof openEye>> | undefined;
    let pauseMs = 0;
    const storageState = await eye.context.storageState();
    const loads = (work: (page: Page) => Promise<unknown>) => ({
      before: async () => {
        fresh = await openEye(browser, { storageState });
        fresh.context.setDefaultTimeout(60_000);
      },
      run: () => fresh && work(fresh.page),
      after: () => fresh?.context.close(),
    });
    const pauses = (page: Page, work: () => Promise<void>) => ({
      run: async () => {
        pauseMs = await longestPause(page, work);
      },
      ownMs: () => pauseMs,
    });
    return {
      runs: {
        empty: loads(page => page.goto(`${origin()}/bench-empty`)),
        usable: loads(async page => {
          await page.goto(origin());
          await messageBox(page).waitFor();
        }),
        rows: pauses(bare, () => drawRows(bare)),
        sessions: {
          before: () => eye.page.goto(`${origin()}/#/chat`),
          ...pauses(eye.page, () => lookAtSessions(eye.page, origin())),
        },
        flood: {
          before: () => eye.page.goto(`${origin()}/#/chat`),
          ...pauses(eye.page, () => printFlood(eye.page)),
        },
      },
      async close() {
        await bareContext.close();
        await browser.close();
        await house.close();
      },
    };
  },
});

function messageBox(page: Page) {
  return page.getByLabel('Message', { exact: true });
}

async function enterSessions({ home }: PageHouse): Promise<void> {
  const store = await openStore(home);
  for (let at = 0; at < SESSIONS; at++) {
    const chat = `chat-${at}`;
    const key = `telegram:private:${chat}`;
    await store.sessions.enter({ key, kind: 'messaging', platform: 'telegram', chat });
  }
  await store.close();
}

async function drawRows(page: Page): Promise<void> {
  await page.evaluate(count => {
    const cells = '<td>telegram</td><td>private</td><td>chat</td><td>idle</td>';
    document.body.innerHTML = `<table>${`<tr>${cells}</tr>`.repeat(count)}</table>`;
  }, SESSIONS);
  await page.locator('tr').last().waitFor();
}

async function lookAtSessions(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/#/overview`);
  const rows = page.getByRole('region', { name: 'Sessions' }).locator('tbody tr');
  await page.getByLabel('Filter sessions').waitFor();
  await page.locator('.view').evaluate(view => view.scrollTo(0, 1_000_000));
  await page.getByLabel('Filter sessions').fill('chat-777');
  await rows.nth(1).waitFor({ state: 'detached' });
  await page.getByLabel('Filter sessions').fill('');
}

/** Until the answer to it is there. */
async function printFlood(page: Page): Promise<void> {
  const ends = page.getByText('Exit code 0');
  const before = await ends.count();
  await messageBox(page).fill(FLOOD);
  await page.keyboard.press('Enter');
  await ends.nth(before).waitFor();
}
