// What must not happen on the page: text that becomes code, other pages that act, people who see more than they may.
import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { needService } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { type Eye, openBrowser, openEye } from './browser.ts';
import { openPageHouse, type PageHouse } from './page-house.ts';
import { ATTACK, scriptWith } from './script.ts';

describe('the safety of the page', () => {
  const chromium = needService('chromium');
  needService('bubblewrap');
  let house: PageHouse;
  let browser: Browser;
  let eye: Eye;
  let cookie: string;
  beforeAll(async () => {
    house = await openPageHouse({ script: scriptWith(async () => undefined) });
    browser = await openBrowser(chromium());
    eye = await openEye(browser);
    await eye.page.goto(await house.link());
    const [first] = await eye.context.cookies();
    cookie = `${first?.name}=${first?.value}`;
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const go = (view: string): Promise<unknown> => eye.page.goto(`${house.origin()}/#/${view}`);

  it('leaves scripts in messages, output, file names, commands and names of strangers what they are: text', async () => {
    await eye.page.getByLabel('Message', { exact: true }).fill(`${ATTACK} attack`);
    await eye.page.keyboard.press('Enter');
    await eye.page.locator('.message.agent', { hasText: '<script>alert(2)</script>' }).waitFor();
    await eye.page.locator('.steps > summary').click();
    await eye.page.locator('.step').evaluate(step => step.setAttribute('open', ''));
    expect(await eye.page.locator('.message.you').first().textContent()).toContain(ATTACK);
    expect(await eye.page.locator('.output').textContent()).toContain('<script>alert(2)</script>');
    expect(await eye.page.locator('.message a').count()).toBe(0);
    house.telegram.say({ id: 66, name: ATTACK }, ATTACK);
    await go('people');
    await eye.page.locator('.stranger', { hasText: '<script>' }).waitFor();
    await go('audit');
    await eye.page.locator('td', { hasText: '<img src=x' }).first().waitFor();
    await go('sandboxes');
    await eye.page.locator('td a').first().click();
    await eye.page.getByRole('tab', { name: 'Files' }).click();
    await eye.page.locator('.file-name', { hasText: '<img src=x' }).waitFor();
    await eye.page.getByRole('tab', { name: 'Terminal' }).click();
    await eye.page.locator('#terminal-line').fill(`echo '${ATTACK}'`);
    await eye.page.keyboard.press('Enter');
    await eye.page.locator('.output', { hasText: '<script>alert(2)</script>' }).waitFor();
    expect(await eye.page.locator('main img, main script').count()).toBe(0);
    expect(eye.wrongs).toEqual([]);
  });

  it('hides secrets in what it shows', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await eye.page.getByRole('button', { name: 'Run' }).waitFor();
    await eye.page
      .locator('#terminal-line')
      .fill(`echo token=ghp_$(printf 'a1B2%.0s' 1 2 3 4 5 6 7 8 9); echo done-$((1 + 1))`);
    await eye.page.keyboard.press('Enter');
    await eye.page.locator('.output', { hasText: 'done-2' }).waitFor();
    const shown = await eye.page.locator('.output').textContent();
    expect(shown).toContain('token=');
    expect(shown).not.toContain(secret);
  });

  const status = (
    path: string,
    { body, ...headers }: Record<string, string>,
    method = 'POST',
  ): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const sent = ask(`${house.origin()}${path}`, { method, headers }, answer => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
    return promise;
  };

  it.each<[string, Record<string, string>, number]>([
    ['of its own', {}, 200],
    ['of another site', { origin: 'http://evil.example' }, 403],
    ['of nobody', { origin: 'null' }, 403],
    ['under another name', { host: 'evil.example' }, 403],
    ['without a login', { cookie: '' }, 401],
    ['with a forged login', { cookie: 'hermes_web=b3duZXI6OTk5OTk5OTk5OTk5OQ.x' }, 401],
  ])('takes calls and sockets from pages %s as it should', async (_of, headers, expected) => {
    const given = { cookie, origin: house.origin(), 'content-type': 'application/json', ...headers };
    expect(await status('/api/run', { ...given, body: '{"command":"status"}' })).toBe(expected);
    const socket = new WebSocket(`${house.origin().replace('http', 'ws')}/live`, { headers: given });
    const opened = await new Promise<number>((resolve, reject) => {
      socket.once('open', () => resolve(200));
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode ?? 0));
      socket.once('error', reject);
    });
    socket.terminate();
    expect(opened).toBe(expected);
  });

  it.each([
    ['//', 400],
    ['//evil.example/', 400],
    ['/\\evil.example/', 400],
    ['/files/../state.db', 404],
    ['/files/%2e%2e%2fstate.db', 404],
    ['/app/..%2f..%2fpackage.json', 404],
  ])('gives nothing away for the path %s', async (path, expected) => {
    const sent = ask({
      host: '127.0.0.1',
      port: new URL(house.origin()).port,
      path,
      headers: { cookie },
    }).end();
    const [answer] = await within(once(sent, 'response'), 'there is an answer');
    answer.resume();
    expect(answer.statusCode).toBe(expected);
  });

  it('refuses what a page of another server on this machine tries, to which the cookie goes along', async () => {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<p>evil'),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const evil = await eye.context.newPage();
    await evil.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`); // it listens on a port
    const socket = await evil.evaluate(async origin => {
      const body = JSON.stringify({ command: 'people allow', args: { person: 'telegram:999' } });
      await fetch(`${origin}/api/run`, {
        method: 'POST',
        credentials: 'include',
        mode: 'no-cors',
        body,
      }).catch(String);
      return new Promise(resolve => {
        const made = new globalThis.WebSocket(`${origin.replace('http', 'ws')}/live`);
        made.onopen = () => resolve('opened');
        made.onerror = () => resolve('refused');
      });
    }, house.origin());
    await evil.close();
    server.close();
    expect(socket).toBe('refused');
    expect((await house.run('people', 'list')).stdout).not.toContain('telegram:999');
  });

  it('lets users talk and nothing else, and whoever is kept out do nothing', async () => {
    const anna = await openEye(browser);
    await anna.page.goto(await house.link('anna'));
    const headers = { origin: house.origin() };
    const call = async (): Promise<number> =>
      (
        await anna.context.request.post(`${house.origin()}/api/run`, {
          headers,
          data: { command: 'audit list' },
        })
      ).status();
    expect(await call()).toBe(403);
    await anna.page.getByLabel('Message', { exact: true }).fill('hello');
    await anna.page.keyboard.press('Enter');
    await anna.page.getByText('You said: hello').waitFor();
    await house.run('people', 'deny', 'web:anna');
    await anna.page.reload();
    await anna.page.getByText('Nobody is logged in here').waitFor();
    await anna.context.close();
  });

  it('has no command that is not meant for pages', async () => {
    const headers = { origin: house.origin() };
    const call = async (data: unknown): Promise<unknown> =>
      (await eye.context.request.post(`${house.origin()}/api/run`, { headers, data })).json();
    expect(await call({ command: 'config set', args: { key: 'a', value: 'b' } })).toMatchObject({
      error: { code: 'USAGE_UNKNOWN_COMMAND' },
    });
    expect(await call({ command: 'doctor', flags: { fix: true } })).toMatchObject({
      error: { code: 'USAGE_BAD_ARGUMENTS' },
    });
    expect(await call('nonsense')).toMatchObject({ error: { code: 'USAGE_BAD_ARGUMENTS' } });
    expect(JSON.stringify(await call({ command: 'approvals list' }))).not.toContain('nonce');
  });
});
