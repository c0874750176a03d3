// The gateway as an operator meets it: started, refused, watched, stopped and started again.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { docsPath } from '../../../src/base/docs-path.ts';
import { LOCAL_WARNING } from '../../../src/sessions/start.ts';
import { useGround } from './ground.ts';

const ground = useGround();
const mode = (path: string): number => statSync(path).mode & 0o777;

function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  // One that has ended and that nobody has collected runs no more.
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'latin1'));
}

describe('hermes gateway start', () => {
  it('warns of local on stderr and in the log, and says where it listens and where commands run', async () => {
    const { home, detach } = await ground();
    const { status, notes, stderr } = await detach();
    const warnings = stderr
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(warnings).toEqual([{ warning: LOCAL_WARNING }]);
    expect(notes[0]).toMatch(/^Messaging sessions run on local, network open \(.*TERMINAL_ENV/);
    // The page that the warning names can be opened from anywhere.
    expect(notes[1]).toBe(`docs/security/gateway.md is here: ${docsPath('security/gateway.md')}`);
    expect(existsSync(docsPath('security/gateway.md'))).toBe(true);
    expect(status).toMatchObject({
      state: 'ready',
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    const log = readFileSync(join(home, 'logs/gateway.log'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(log.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', LOCAL_WARNING],
      ['info', notes[0]],
      ['info', notes[1]],
      ['info', 'gateway is ready'],
    ]);
  });

  it('shows the warning in its own words without --json; P11: keeps its files to itself', async () => {
    const { home, run } = await ground();
    const { stdout, stderr } = await run('gateway', 'start', '--detach', '--set', 'gateway.http_port=0');
    expect(stderr).toBe(`${LOCAL_WARNING}\n`);
    expect(stdout).toMatch(/^Gateway \S+ is ready: process \d+\.\nHealth and figures: http/);
    expect(stdout).toContain('Platforms: none is set up.');
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100);
    expect([mode(home), mode(join(home, 'logs'))]).toEqual([0o700, 0o700]);
    for (const name of ['gateway.sock', 'gateway.lock', 'state.db', 'logs/gateway.log', 'logs/gateway.err']) {
      expect([name, mode(join(home, name))]).toEqual([name, 0o600]);
    }
    // What was printed for one reader is not kept.
    expect(readdirSync(join(home, 'logs')).sort()).toEqual(['gateway.err', 'gateway.log']);
  });

  it('refuses a second one and names the first', async () => {
    const { run, detach } = await ground();
    const { status } = await detach();
    const { code, stderr } = await run('gateway', 'start', '--detach', '--json');
    const { error } = JSON.parse(stderr);
    expect([code, error.code]).toEqual([69, 'UNAVAILABLE_GATEWAY']);
    expect(error.message).toContain(`process ${status.pid}`);
    expect(isAlive(status.pid)).toBe(true);
  });

  it.each([[[]], [['--detach']]])(
    'ends on a mistake in the configuration before anything is made %j',
    async words => {
      const { home, run } = await ground({ TERMINAL_ENV: 'docer' });
      const { code, stderr, stdout } = await run('gateway', 'start', ...words);
      expect([code, stdout]).toEqual([78, '']);
      expect(stderr).toMatch(/CONFIG_INVALID.*docer.*docker/s);
      expect(readdirSync(home)).toEqual([]);
    },
  );

  it('does not start where a backend does not work, and leaves nothing behind', async () => {
    const { home, run } = await ground({
      TERMINAL_ENV: 'docker',
      DOCKER_HOST: 'unix:///nonexistent/docker.sock',
    });
    const { code, stderr } = await run('gateway', 'start', '--detach');
    expect([code, stderr]).toEqual([
      69,
      expect.stringMatching(/UNAVAILABLE_BACKEND.*No other one is taken/s),
    ]);
    expect(existsSync(join(home, 'gateway.sock'))).toBe(false);
    expect((await run('gateway', 'status')).code).toBe(3);
  });

  it('says which address is taken, and can be started when it is free again', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { run } = await ground();
    const start = () => run('gateway', 'start', '--detach', '--set', `gateway.http_port=${port}`);
    const { code, stderr } = await start();
    expect([code, stderr]).toEqual([
      78,
      expect.stringContaining(`port ${port}: somebody else listens there`),
    ]);
    await new Promise(resolve => server.close(resolve));
    expect((await start()).code).toBe(0);
  });

  it('starts over what a killed one has left', async () => {
    const { home, detach, foreground } = await ground();
    const killed = foreground();
    await killed.ready;
    killed.signal('SIGKILL');
    await killed.ended;
    expect(existsSync(join(home, 'gateway.sock'))).toBe(true);
    expect((await detach()).status.state).toBe('ready');
  });
});

describe('a running gateway', () => {
  it('answers /healthz, /readyz and /metrics, and is gone with lock and socket when it is stopped', async () => {
    const { home, run, detach } = await ground();
    const { status } = await detach();
    const page = async (path: string, headers = {}) => {
      const response = await fetch(`${status.http}${path}`, { headers });
      return [response.status, await response.text()] as const;
    };
    expect(await page('/healthz')).toEqual([200, '{"status":"ok"}']);
    expect(await page('/readyz')).toEqual([200, '{"status":"ready","platforms":{}}']);
    const [code, figures] = await page('/metrics');
    expect(code).toBe(200);
    expect(figures).toMatch(/^hermes_gateway_info\{version="[^"]+",state="ready",backend="local"\} 1$/m);
    expect(figures).toMatch(/^hermes_approvals_pending 0$/m);
    expect(figures).toMatch(/^process_resident_memory_bytes \d+/m);
    expect((await page('/nothing'))[0]).toBe(404);
    const { port } = new URL(status.http);
    expect(await named('evil.example', Number(port))).toBe(403);
    // In the first line of the request may stand any name.
    expect(await named('evil.example', Number(port), `http://127.0.0.1:${port}/metrics`)).toBe(403);
    expect((await run('gateway', 'stop')).stdout).toBe(`The gateway, process ${status.pid}, has stopped.\n`);
    expect(existsSync(join(home, 'gateway.sock'))).toBe(false);
    expect((await run('gateway', 'status')).stdout).toContain('No gateway runs');
    expect(readFileSync(join(home, 'logs/gateway.log'), 'utf8')).toContain('gateway has stopped');
    const again = await run('gateway', 'stop', '--json');
    expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([69, 'UNAVAILABLE_NOT_RUNNING']);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 0],
  ] as const)('stops in order on %s', async (name, exit) => {
    const { home, foreground } = await ground();
    const gateway = foreground();
    await gateway.ready;
    gateway.signal(name);
    const { code, stdout } = await gateway.ended;
    expect(code).toBe(exit);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      event: 'stopped',
      reason: name,
      wantsRestart: false,
    });
    expect(readFileSync(join(home, 'logs/gateway.log'), 'utf8')).toContain('gateway has stopped');
  });

  it('is started anew with the flags that it had', async () => {
    const { run, detach } = await ground();
    const before = await detach('--set', 'gateway.log_level=debug');
    const { code, stdout } = await run('gateway', 'restart', '--json');
    const after = JSON.parse(stdout);
    expect([code, after.before]).toEqual([0, before.status.pid]);
    expect(after.ready.status.pid).not.toBe(before.status.pid);
    expect(isAlive(before.status.pid)).toBe(false);
    // 0 was given on the command line; the default is another one.
    expect(after.ready.status.http).not.toMatch(/:8377$/);
  });

  it('goes on when the new configuration has a mistake, and says that it runs on other settings', async () => {
    const { home, run, detach } = await ground();
    const { status } = await detach();
    writeFileSync(join(home, 'config.yaml'), 'gateway:\n  http_prt: 1\n');
    expect((await run('gateway', 'restart')).code).toBe(78);
    expect(isAlive(status.pid)).toBe(true);
    writeFileSync(join(home, 'config.yaml'), '');
    const { stdout } = await run('status', '--set', 'gateway.terminal_backend=bubblewrap');
    expect(stdout).toMatch(/chats +local.*settings\s+say bubblewrap/s);
  });
});

describe('hermes status', () => {
  it('fits on one screen, with the warning, beside a gateway and without one', async () => {
    const { run, detach } = await ground();
    const idle = await run('status');
    expect(idle.stdout).toMatch(/^gateway +not running/);
    expect(idle.stdout).toMatch(/^platforms +not running$/m);
    const { status } = await detach();
    const { stdout, code } = await run('status');
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^gateway +ready for \\d+ s, process ${status.pid},`));
    expect(stdout).toMatch(/^chats +local, isolation none, network open/m);
    expect(stdout).toMatch(/^CLI +local, isolation none/m);
    expect(stdout).toContain(LOCAL_WARNING);
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
      gateway: { pid: status.pid },
      messaging: { backend: 'local', isolation: 'none' },
      approvals: 0,
      warnings: [LOCAL_WARNING],
    });
  });
});

/** The status of a request that names another host; `fetch` does not let one. */
async function named(host: string, port: number, path = '/metrics'): Promise<number | undefined> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host } }, response => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}
