// The page as a person uses it: a real browser, a real gateway, a real sandbox.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../services/free-port.ts';
import { needService } from '../../services/use-service.ts';
import { PATIENCE_MS } from '../../wait.ts';
import { type Eye, openBrowser, openEye } from './browser.ts';
import { openPageHouse, type PageHouse } from './page-house.ts';
import { DANGER, scriptWith } from './script.ts';

describe('the page', () => {
  const chromium = needService('chromium');
  needService('bubblewrap');
  let house: PageHouse;
  let shared: string;
  let browser: Browser;
  let eye: Eye;
  let gate = Promise.withResolvers<void>();
  beforeAll(async () => {
    shared = await mkdtemp(join(homedir(), '.hermes-shared-'));
    for (const name of ['old', 'new']) await mkdir(join(shared, name));
    // The user of a sandbox is another one than that of the test.
    await chmod(shared, 0o777);
    const settings = [`gateway.sandbox_volumes=["${shared}:/data"]`, 'approvals.timeout=60'];
    const script = scriptWith(() => gate.promise);
    house = await openPageHouse({ script, settings, port: await freePort() });
    browser = await openBrowser(chromium());
    eye = await openEye(browser);
    await eye.page.goto(await house.link());
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
    await rm(shared, { recursive: true, force: true });
  });
  afterEach(() => expect(eye.wrongs).toEqual([]));

  const go = (view: string): Promise<unknown> => eye.page.goto(`${house.origin()}/#/${view}`);
  const say = async (text: string): Promise<void> => {
    await eye.page.getByLabel('Message', { exact: true }).fill(text);
    await eye.page.keyboard.press('Enter');
  };
  const openSandbox = async (): Promise<void> => {
    await go('sandboxes');
    await eye.page.getByRole('region', { name: 'All sandboxes' }).getByRole('link').first().click();
    await eye.page.getByRole('tab', { name: 'Explain' }).waitFor();
  };

  it('lets in by a link that works once, and shows everybody else how to get one', async () => {
    const [cookie] = await eye.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const stranger = await openEye(browser);
    const link = await house.link('anna');
    expect((await stranger.page.goto(link))?.status()).toBe(200);
    const other = await openEye(browser);
    expect((await other.page.goto(link))?.status()).toBe(403);
    expect((await other.page.goto(house.origin()))?.status()).toBe(401);
    expect(await other.page.textContent('main')).toContain('hermes gateway login');
    // Who is no owner talks, and sees nothing else.
    expect(await stranger.page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Chat']);
    await Promise.all([stranger.context.close(), other.context.close()]);
  });

  it('shows an answer while it is written, as markdown', async () => {
    await say('please stream');
    await eye.page.getByText('The beginning of a longer').waitFor();
    expect(await eye.page.getByText('And its end.').count()).toBe(0);
    gate.resolve();
    gate = Promise.withResolvers();
    await eye.page.getByText('And its end.').waitFor();
    expect(await eye.page.locator('.message.agent strong').first().textContent()).toBe('bold');
  });

  it('folds the steps of a run, with what they print as they print it', async () => {
    await say('do some work');
    await eye.page.locator('.steps > summary', { hasText: 'echo first' }).click();
    await eye.page.locator('.output', { hasText: 'first' }).waitFor();
    expect(await eye.page.locator('.output', { hasText: 'last' }).count()).toBe(0);
    await eye.page.getByRole('link', { name: /^sandbox \w+/ }).waitFor();
    const sandbox = await sandboxId();
    const query = new URLSearchParams({ sandbox, path: '.', name: 'go' });
    const put = await eye.context.request.post(`${house.origin()}/api/file?${query}`, {
      headers: { origin: house.origin() },
      data: Buffer.from('go'),
    });
    expect(put.status(), await put.text()).toBe(200);
    await eye.page.locator('.output', { hasText: 'last' }).waitFor();
    await eye.page.getByText('Worked.').waitFor();
  });

  it('takes a file in and gives one back', async () => {
    await eye.page.getByLabel('Files', { exact: true }).setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('from the browser'),
    });
    await say('return my file');
    const link = eye.page.locator('.message.agent a.file').last();
    await link.waitFor();
    const [download] = await Promise.all([eye.page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('notes.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('from the browser');
  });

  it('follows what comes, also when more comes while it moves, and not when somebody reads above', async () => {
    for (const at of [1, 2, 3]) await say(`!seq ${at} 20; echo part-$((${at} + 10))`);
    await eye.page.locator('.message', { hasText: 'part-13' }).waitFor();
    const box = eye.page.locator('.transcript');
    const below = () => box.evaluate(it => it.scrollHeight - it.scrollTop - it.clientHeight);
    await expect.poll(below).toBeLessThan(60);
    // As the keyboard of a phone does.
    await eye.page.setViewportSize({ width: 1200, height: 500 });
    await expect.poll(below).toBeLessThan(60);
    await eye.page.setViewportSize({ width: 1200, height: 800 });
    const grow = `(() => {
      const tall = document.querySelector('.column').appendChild(document.createElement('p'));
      tall.style.height = '400px';
    })()`;
    // The second one comes after the first was followed, and before the page hears of that.
    await eye.page.evaluate(
      `new Promise(done => { ${grow}; requestAnimationFrame(() => setTimeout(() => { ${grow}; done(); })) })`,
    );
    await expect.poll(below).toBeLessThan(60);
    const moveTo = (top: string) =>
      eye.page.evaluate(
        `new Promise(done => {
          const box = document.querySelector('.transcript');
          box.addEventListener('scroll', done, { once: true });
          box.scrollTop = ${top};
        })`,
      );
    // The browser moves it as well, when something changes its place. Nobody has touched the page.
    await moveTo('box.scrollTop - 300');
    await eye.page.evaluate(grow);
    await expect.poll(below).toBeLessThan(60);
    const above = async () => {
      await expect.poll(below).toBeGreaterThan(200);
      await eye.page.evaluate(grow);
      await expect.poll(below).toBeGreaterThan(600);
    };
    await box.hover();
    await eye.page.mouse.wheel(0, -500);
    await above();
    // Back at the end it follows again, as soon as it has heard of that.
    await moveTo('box.scrollHeight');
    await eye.page.evaluate(grow);
    await expect.poll(below).toBeLessThan(60);
    await box.press('PageUp');
    await above();
    await eye.page.reload();
  });

  it('denies with a reason on the page of approvals, with what is dangerous marked', async () => {
    await say('some danger');
    await eye.page.locator('.message.approval').waitFor();
    await go('approvals');
    const card = eye.page.locator('.card.approval');
    expect(await card.getByLabel('Command').textContent()).toBe(DANGER);
    expect(await card.locator('mark').first().textContent()).toContain('rm -rf /data/old');
    expect(await card.locator('.findings li').count()).toBeGreaterThan(0);
    await card.getByLabel('Reason for denying').fill('not today');
    await card.getByRole('button', { name: 'Deny' }).click();
    await eye.page.getByText('Nothing waits for an answer').waitFor();
    await go('chat');
    await eye.page.getByText('Denied by web:owner: not today').waitFor();
    await eye.page.getByText(/It said: [\s\S]*not today/).waitFor();
    expect(await readdir(shared)).toContain('old');
  });

  it('approves with the buttons of the card in the chat', async () => {
    await say('more danger');
    await eye.page.locator('.message.approval').getByRole('button', { name: 'Once' }).click();
    await eye.page.getByText(/It said: [\s\S]*new/).waitFor();
    expect(await readdir(shared)).toEqual(['new']);
  });

  it('stops what runs', async () => {
    await say('be slow');
    await eye.page.locator('.steps', { hasText: 'sleep 4711' }).last().waitFor();
    await eye.page.getByRole('button', { name: 'Stop' }).click();
    await eye.page
      .getByText(/stopped/i)
      .last()
      .waitFor();
    const answer = await eye.context.request.get(
      `${house.origin()}/api/processes?sandbox=${await sandboxId()}`,
    );
    expect(await answer.text()).not.toContain('4711');
  });

  it('lets a stranger in by their card, and answers them', async () => {
    house.telegram.say({ id: 77, name: 'Sam' }, 'hello, who are you');
    await go('people');
    const card = eye.page.getByRole('listitem', { name: /Sam/ });
    expect(await card.textContent()).toContain('hello, who are you');
    await card.getByRole('button', { name: 'Let in' }).click();
    await house.telegram.whenSent(({ chat, text }) => chat === '77' && text.includes('You said'), {
      timeoutMs: PATIENCE_MS,
    });
    await eye.page.getByRole('button', { name: 'Revoke telegram:77' }).click();
    await eye.page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
    await eye.page.getByText('telegram:77 is a stranger again.').waitFor();
  });

  it('has a terminal that keeps the folder, can be stopped in a flood, and keeps the end of five megabytes', async () => {
    await openSandbox();
    await eye.page.getByRole('tab', { name: 'Terminal' }).click();
    const output = eye.page.getByLabel('Terminal').locator('visible=true').first();
    const line = async (text: string): Promise<void> => {
      // One that is typed while another runs is not taken.
      await eye.page.getByRole('button', { name: 'Run' }).waitFor();
      await eye.page.locator('#terminal-line').fill(text);
      await eye.page.keyboard.press('Enter');
    };
    await line('cd /tmp && echo here-$((1 + 1))');
    await eye.page.getByText('here-2').waitFor();
    await line('pwd; false');
    await eye.page.getByText('[exit code 1]').waitFor();
    await line('sleep 999');
    await eye.page.locator('.terminal').getByRole('button', { name: 'Stop' }).click();
    await eye.page.getByText('[canceled]').waitFor();
    await line('yes water');
    await eye.page.getByText('water').last().waitFor();
    await eye.page.locator('.terminal').getByRole('button', { name: 'Stop' }).click();
    await line('seq 1 800000; echo the-end');
    await eye.page.getByText('the-end', { exact: false }).last().waitFor();
    await eye.page.getByRole('button', { name: 'Run' }).waitFor();
    expect(await output.textContent()).toContain('characters before this');
  });

  it('shows the files of a sandbox, and destroys it', async () => {
    await openSandbox();
    await eye.page.getByRole('tab', { name: 'Files' }).click();
    await eye.page.getByRole('button', { name: 'inbox' }).click();
    const button = eye.page.getByRole('button', { name: 'Download notes.txt' });
    const [download] = await Promise.all([eye.page.waitForEvent('download'), button.click()]);
    expect(await readFile(await download.path(), 'utf8')).toBe('from the browser');
    await eye.page.getByRole('tab', { name: 'Processes' }).click();
    await eye.page.getByText('bash (a shell of Hermes)').first().waitFor();
    await eye.page.getByRole('tab', { name: 'Logs' }).click();
    await eye.page.getByRole('region', { name: 'What was done in this sandbox' }).waitFor();
    await eye.page.getByRole('button', { name: 'Destroy' }).click();
    await eye.page.getByRole('dialog').getByRole('button', { name: 'Destroy' }).click();
    await eye.page.locator('.badge', { hasText: 'gone' }).waitFor();
    expect(JSON.parse((await house.run('sandbox', 'list', '--json')).stdout)).toMatchObject({
      sandboxes: [],
    });
  });

  it.each(['sandbox/nosuch', 'sandbox/%', 'nonsense'])('shows something for the address #/%s', async view => {
    await go(view);
    await eye.page.reload();
    if (view.startsWith('sandbox')) await eye.page.getByText('There is no sandbox').waitFor();
    else await eye.page.getByLabel('Message', { exact: true }).waitFor();
  });

  it('filters and exports the audit, under the name of the person', async () => {
    await go('audit');
    await eye.page.getByLabel('Filter the audit').fill('destroy');
    const region = eye.page.getByRole('region', { name: 'Audit', exact: true });
    await expect.poll(() => region.locator('tbody tr').count()).toBe(1);
    expect(await region.locator('tbody tr').first().textContent()).toContain('web:owner');
    const button = eye.page.getByRole('button', { name: 'Export CSV' });
    const [download] = await Promise.all([eye.page.waitForEvent('download'), button.click()]);
    expect(await readFile(await download.path(), 'utf8')).toMatch(
      /^seq,at,actor.*\r\n"\d+",".*Z","web:owner"/,
    );
  });

  it('says what is dangerous, each with its fix', async () => {
    await go('security');
    const region = eye.page.getByRole('region', { name: 'Is it safe?' });
    await region.getByText(/checks?: /).waitFor();
    expect(await region.locator('.findings > li').count()).toBe(await region.locator('.fix').count());
  });

  it('comes back by itself after the gateway was started anew', async () => {
    await go('chat');
    await eye.page.getByText('And its end.').first().waitFor();
    await house.restart();
    await eye.page.getByText('The connection to the gateway is lost').waitFor({ state: 'hidden' });
    await say('are you there');
    await eye.page.getByText('You said: are you there').waitFor();
    eye.wrongs.length = 0; // what the browser says of refused connections
  });

  it('asks before a new conversation, which has nothing of the old one', async () => {
    await say('!echo old > only-here; echo there-$((1 + 1))');
    await eye.page.locator('.message', { hasText: 'there-2' }).waitFor();
    await eye.page.getByRole('button', { name: 'New conversation' }).click();
    await eye.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await say('!cat only-here; echo still-$((1 + 1))');
    await eye.page.locator('.message', { hasText: /old\s+still-2/ }).waitFor();
    await eye.page.getByRole('button', { name: 'New conversation' }).click();
    expect(await eye.page.getByRole('dialog').textContent()).toContain('a new sandbox without its files');
    await eye.page.getByRole('dialog').getByRole('button', { name: 'Start anew' }).click();
    await eye.page.getByText('A new conversation begins').waitFor();
    await say('!ls only-here; echo gone-$((1 + 1))');
    await eye.page.locator('.message', { hasText: /gone-2[\s\S]*No such file/ }).waitFor();
  });

  async function sandboxId(): Promise<string> {
    const { sandboxes } = JSON.parse((await house.run('sandbox', 'list', '--json')).stdout) as {
      sandboxes: readonly { id: string }[];
    }; // our own program's
    return sandboxes[0]?.id ?? '';
  }
});
