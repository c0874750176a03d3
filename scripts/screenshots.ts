// `npm run screenshots`: pictures of the main pages for the documentation, of a real gateway with a real sandbox.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Script } from '../test/doubles/model-server.ts';
import { openBrowser, openEye } from '../test/integration/dashboard/browser.ts';
import { openPageHouse } from '../test/integration/dashboard/page-house.ts';
import { chromiumArguments } from '../test/services/chromium.ts';
import { digestFile, pageDigest } from './page-digest.ts';

const folder = join(import.meta.dirname, '../docs/screenshots');

const COUNT = `import csv, collections
rows = csv.DictReader(open('inbox/orders.csv'))
total = collections.Counter()
for row in rows:
    total[row['country']] += float(row['amount'])
for country, amount in total.most_common():
    print(f'{country:<10}{amount:>10.2f}')
`;
const CSV = `country,amount\n${['Spain,120.50', 'Italy,80.00', 'Spain,99.90', 'France,310.25', 'Italy,45.10'].join('\n')}\n`;
const ANSWER = `Orders by country, largest first:

| country | total |
|---|---|
| France | 310.25 |
| Spain | 220.40 |
| Italy | 125.10 |

The program is \`count.py\` in the workspace:

\`\`\`python
for country, amount in total.most_common():
    print(f'{country:<10}{amount:>10.2f}')
\`\`\``;

const script: Script = ({ lastText, results }) => {
  const call = (name: string, input: unknown) => [{ call: { name, input } }];
  if (lastText.includes('Clean up'))
    return results.length === 0
      ? call('terminal', {
          command: 'cd /data && du -sh * && rm -rf /data/exports/2023 && git push --force origin main',
        })
      : [{ text: 'Done.' }];
  if (results.length === 0) return call('write_file', { path: 'count.py', content: COUNT });
  if (results.length === 1)
    return call('terminal', {
      command:
        "python3 count.py || awk -F, 'NR>1 {t[$1]+=$2} END {for (c in t) print c, t[c]}' inbox/orders.csv",
    });
  return [{ text: ANSWER }];
};

async function shoot(page: Page, name: string): Promise<void> {
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`docs/screenshots/${name}.png`);
}

const shared = await mkdtemp(join(homedir(), '.hermes-shared-'));
await mkdir(join(shared, 'exports/2023'), { recursive: true });
await chmod(shared, 0o777);
await mkdir(folder, { recursive: true });
const house = await openPageHouse({ script, settings: [`gateway.sandbox_volumes=["${shared}:/data"]`] });
const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const browser = await openBrowser({ executablePath, args: chromiumArguments });
try {
  const { page, context } = await openEye(browser, { viewport: { width: 1180, height: 760 } });
  const go = async (view: string): Promise<void> => {
    await page.goto(`${house.origin()}/#/${view}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const say = async (text: string): Promise<void> => {
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.keyboard.press('Enter');
  };
  await page.goto(await house.link());
  const orders = join(shared, 'orders.csv');
  await writeFile(orders, CSV);
  await page.getByLabel('Files', { exact: true }).setInputFiles(orders);
  await say('How much was ordered from each country?');
  await page.getByText('Orders by country').waitFor();
  await page.reload();
  await page.locator('.steps > summary').click();
  await shoot(page, 'chat');
  await say('Clean up the old exports, please.');
  await page.locator('.message.approval').waitFor();
  house.telegram.say(
    { id: 48_151_623, name: 'Sam Porter' },
    'Hi, Olga said that I may ask you things. Can you let me in?',
  );
  await go('approvals');
  await page.locator('.card.approval').waitFor();
  await shoot(page, 'approvals');
  await go('people');
  await page.locator('.stranger').waitFor();
  await shoot(page, 'people');
  await go('overview');
  await page.locator('.chart svg').nth(3).waitFor();
  await page.getByRole('region', { name: 'Sandboxes' }).last().getByText(/MiB/).waitFor();
  await shoot(page, 'overview');
  await go('sandboxes');
  await page.locator('td a').first().click();
  await page.getByText('Where, and why').waitFor();
  await shoot(page, 'sandbox');
  await go('security');
  await page.getByText(/checks?: /).waitFor();
  await shoot(page, 'security');
  const phone = await openEye(browser, {
    ...{ storageState: await context.storageState(), colorScheme: 'dark' },
    ...{ viewport: { width: 390, height: 760 }, isMobile: true },
  });
  await phone.page.goto(house.origin());
  await phone.page.locator('.message.approval').waitFor();
  await shoot(phone.page, 'phone');
  await writeFile(digestFile, `${pageDigest()}\n`);
} finally {
  await browser.close();
  await house.close();
  await rm(shared, { recursive: true, force: true });
}
