import { chromium } from 'playwright-core';
import { openPageHouse } from './page-house.ts';

const house = await openPageHouse({
  script: ({ results }) =>
    results.length === 0
      ? [
          { text: 'Let me look. ' },
          {
            call: {
              name: 'terminal',
              input: { command: 'for i in 1 2 3; do echo line $i; sleep 0.3; done' },
            },
          },
        ]
      : [{ text: 'It printed **three lines**.\n\n```bash\necho hi\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |' }],
});
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  page.on('console', m => console.log('console', m.type(), m.text()));
  page.on('pageerror', e => console.log('pageerror', e.message, e.stack));
  page.on('requestfailed', r => console.log('failed', r.url(), r.failure()?.errorText));
  const t = Date.now();
  await page.goto(await house.link());
  await page.waitForSelector('.chat-head', { timeout: 8000 }).catch(e => console.log(String(e)));
  console.log('shown', Date.now() - t);
  await page.waitForTimeout(500);
  await page.screenshot({ path: '/tmp/w1.png' });
  await page.getByLabel('Message', { exact: true }).fill('Do something');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(4000);
  await page.screenshot({ path: '/tmp/w2.png' });
  for (const name of ['overview', 'sandboxes', 'approvals', 'people', 'audit', 'security']) {
    await page.goto(house.origin() + '/#/' + name);
    await page.waitForTimeout(1800);
    await page.screenshot({ path: `/tmp/w-${name}.png` });
  }
  await page.goto(house.origin() + '/#/sandboxes');
  await page.waitForTimeout(600);
  await page.locator('table a').first().click();
  await page.waitForTimeout(1000);
  for (const tab of ['Explain', 'Processes', 'Files', 'Terminal', 'Logs']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForTimeout(900);
    if (tab === 'Terminal') {
      await page.keyboard.type('cd /tmp; ls -la; echo $PWD');
      await page.keyboard.press('Enter');
      await page.waitForTimeout(1500);
    }
    await page.screenshot({ path: `/tmp/w-tab-${tab}.png` });
  }
} finally {
  await browser.close();
  await house.close();
}
