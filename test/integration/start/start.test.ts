// `hermes start` on a machine that has what it needs, and on one that has nothing.
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { webPerson } from '../../doubles/web-person.ts';
import { describeWith } from '../../services/use-service.ts';
import { runProgram } from '../run-program.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');
const FREE_PORTS = ['--set', 'gateway.http_port=0', '--set', 'web.port=0'];

let [top, home] = ['', ''];
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'start-'));
  home = join(top, 'home');
});
afterEach(async () => {
  if (existsSync(join(home, 'gateway.sock'))) await hermes(['gateway', 'stop']);
  rmSync(top, { recursive: true, force: true });
});

const hermes = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram([process.execPath, program, ...words], { env: { HERMES_HOME: home, NO_COLOR: '1', ...env } });

// No engine answers there, so that auto comes to bubblewrap.
const NO_DOCKER = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };

describeWith('bubblewrap', () => {
  it('starts once; a second call makes a new link into the same gateway', async () => {
    const first = await hermes(['start', '--json', ...FREE_PORTS], NO_DOCKER);
    expect(first.code, first.stderr).toBe(0);
    const begun = JSON.parse(first.stdout);
    expect(begun).toMatchObject({ started: 'now', home, status: { sandboxes: { backend: 'bubblewrap' } } });
    expect(statSync(home).mode & 0o777).toBe(0o700);
    const again = JSON.parse((await hermes(['start', '--json'])).stdout);
    expect(again).toMatchObject({ started: 'already', status: { pid: begun.status.pid } });
    expect(again.login.link).not.toBe(begun.login.link);
    for (const { login } of [begun, again]) {
      const person = await webPerson(login.link);
      expect(await person.open()).toMatchObject({ type: 'welcome' });
      person.leave();
    }
    // A restart keeps the page, though nobody has written it into the settings.
    const { stdout } = await hermes(['gateway', 'restart', '--json'], NO_DOCKER);
    expect(JSON.parse(stdout).ready.status.platforms).toMatchObject([{ name: 'web', state: 'connected' }]);
  });

  it('is audited with the page that it has turned on', async () => {
    const env = { ...NO_DOCKER, WEB_HOST: '0.0.0.0', WEB_PASSWORD: 'correct horse battery' };
    const { code, stderr } = await hermes(['start', '--json', ...FREE_PORTS], env);
    expect(code, stderr).toBe(0);
    const audit = JSON.parse((await hermes(['security', 'audit', '--json'], env)).stdout);
    expect(audit.findings).toContainEqual(
      expect.objectContaining({ id: 'doors.exposed', found: ['web.host is 0.0.0.0'] }),
    );
  });

  it('leaves the page off where the settings say so', async () => {
    const words = ['start', '--json', ...FREE_PORTS, '--set', 'web.enabled=false'];
    const { code, stdout, stderr } = await hermes(words, NO_DOCKER);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ login: null, status: { platforms: [] } });
  });
});

describeWith('bubblewrap', () => {
  const listening = async (): Promise<{ port: number; server: Server }> => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, server }; // it listens on a port
  };

  it('ends where somebody else has the port of the page, and names port and setting', async () => {
    const { port, server } = await listening();
    const words = ['start', '--set', 'gateway.http_port=0', '--set', `web.port=${port}`];
    const { code, stdout, stderr } = await hermes(words, NO_DOCKER);
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toContain(`port ${port}: somebody else listens there. Set web.port to another one`);
    expect((await hermes(['gateway', 'status'])).code).toBe(3);
    server.close();
  });

  it('goes on without the page where it has another chat, and fails all the same', async () => {
    const [{ port, server }, telegram] = await Promise.all([listening(), startTelegram()]);
    const words = ['start', '--set', 'gateway.http_port=0', '--set', `web.port=${port}`];
    const token = { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot };
    const { code, stdout, stderr } = await hermes(words, { ...NO_DOCKER, ...token });
    expect(code, stderr).toBe(69);
    expect(stdout).toMatch(new RegExp(`web: failed: .*port ${port}: .*web\\.port`));
    expect(stdout).toContain(`telegram: connected as @${telegram.bot.username}`);
    await hermes(['gateway', 'stop']);
    await telegram.close();
    server.close();
  });
});

it('P2: starts nothing where what was named does not work, and takes nothing else', async () => {
  const words = ['start', '--json', ...FREE_PORTS, '--set', 'gateway.terminal_backend=docker'];
  const { code, stdout, stderr } = await hermes(words, NO_DOCKER);
  expect([code, stdout]).toEqual([69, '']);
  expect(stderr).toContain('UNAVAILABLE_BACKEND');
  expect(existsSync(join(home, 'gateway.sock'))).toBe(false);
});

describeWith('image-bookworm', address => {
  it('takes Docker where there is one', async () => {
    const { docker, image } = address();
    const words = ['start', '--json', ...FREE_PORTS, '--set', `terminal.docker_image=${image}`];
    const { code, stdout, stderr } = await hermes(words, { DOCKER_HOST: docker.host });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).status.sandboxes).toMatchObject({ backend: 'docker', isolation: 'container' });
  });
});
