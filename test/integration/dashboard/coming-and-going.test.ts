// How somebody gets to the page, and what becomes of it when they may not be there any more, or not as before.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from '../../services/free-port.ts';
import { needService } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { type Eye, openBrowser, openEye } from './browser.ts';
import { openPageHouse, type PageHouse } from './page-house.ts';
import { scriptWith } from './script.ts';

const NAME = 'hermes.test';

describe('coming and going', () => {
  const chromium = needService('chromium');
  needService('bubblewrap');
  let house: PageHouse;
  let browser: Browser;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    const settings = [`web.origins=["http://${NAME}:${port}"]`];
    house = await openPageHouse({ script: scriptWith(async () => undefined), settings, port });
    const { executablePath, args } = chromium();
    browser = await openBrowser({
      executablePath,
      args: [...args, `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const message = ({ page }: Eye) => page.getByLabel('Message', { exact: true });
  const views = ({ page }: Eye) => page.getByRole('navigation').getByRole('link').allTextContents();

  it('lets in by a link that stands on a page of another site', async () => {
    const link = await house.link();
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(`<a href="${link}">in</a>`),
    );
    await once(server.listen(0, 'localhost'), 'listening');
    const eye = await openEye(browser);
    await eye.page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`); // it listens on a port
    await eye.page.getByRole('link', { name: 'in' }).click();
    await message(eye).waitFor();
    server.close();
    await eye.context.close();
  });

  it('shows the page to whoever opens their link again, and nobody else', async () => {
    const link = await house.link();
    const eye = await openEye(browser);
    await eye.page.goto(link);
    await message(eye).waitFor();
    await eye.page.goto(link);
    await message(eye).waitFor();
    const other = await openEye(browser);
    expect((await other.page.goto(link))?.status()).toBe(403);
    expect(await other.page.textContent('main')).toContain('hermes gateway login');
    expect(other.wrongs).toEqual([]);
    await Promise.all([eye.context.close(), other.context.close()]);
  });

  it('can be used under a name without TLS, where a browser offers less', async () => {
    const eye = await openEye(browser);
    await eye.page.goto((await house.link()).replace('127.0.0.1', NAME));
    await message(eye).fill('by another name');
    await eye.page.keyboard.press('Enter');
    await eye.page.getByText('You said: by another name').waitFor();
    expect(await eye.page.evaluate('isSecureContext')).toBe(false);
    await eye.context.close();
  });

  it('shows nothing more to an owner who is one no more', async () => {
    const eye = await openEye(browser);
    await eye.page.goto(await house.link('boris'));
    await message(eye).waitFor();
    expect(await views(eye)).toEqual(['Chat']);
    await house.run('people', 'role', 'web:boris', 'owner');
    await expect.poll(() => views(eye)).toContain('People');
    const [cookie] = await eye.context.cookies();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, {
      headers: { cookie: `${cookie?.name}=${cookie?.value}`, origin: house.origin() },
    });
    await within(once(socket, 'open'), 'the socket opens');
    socket.send(JSON.stringify({ type: 'watch', topics: ['people'] }));
    await within(once(socket, 'message'), 'the topic arrives');
    await eye.page.goto(`${house.origin()}/#/people`);
    const closed = once(socket, 'close');
    await house.run('people', 'role', 'web:boris', 'user');
    expect((await within(closed, 'the socket is closed'))[0]).toBe(1008);
    await expect.poll(() => views(eye)).toEqual(['Chat']);
    await eye.context.close();
  });

  it('tells whoever is logged out how to come back, by itself', async () => {
    const eye = await openEye(browser);
    await eye.page.goto(await house.link());
    await message(eye).waitFor();
    await eye.context.clearCookies();
    await house.restart();
    await eye.page.getByText('Nobody is logged in here').waitFor();
    await eye.context.close();
  });
});
