// The gateway in a container of its own: what that holds it to, where sandboxes come from in there, and what it says where none can.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerCommand } from '../../services/docker.ts';
import { needService } from '../../services/use-service.ts';
import { composeService, engineFlags, runFlags, tryDocker } from './house.ts';

const PASSWORD = 'a password of words';
const MARK = `hermes-container-${randomBytes(4).toString('hex')}`;
const CHAT = `${MARK}-chat`;

describe('the gateway in a container', () => {
  const gateway = needService('gateway-image');
  const sandbox = needService('image-busybox');
  const docker = () => gateway().docker;
  const call = (...words: string[]) => tryDocker(docker(), ...words);
  /** No network but one that leads nowhere. */
  const terms = (volume?: string): string[] => [
    ...runFlags(volume),
    ...['--network', MARK, '--env', `WEB_PASSWORD=${PASSWORD}`, '--env', 'NO_COLOR=1'],
  ];
  const withEngine = async (volume?: string): Promise<string[]> => [
    ...terms(volume),
    ...(await engineFlags(docker())),
    ...['--env', `TERMINAL_DOCKER_IMAGE=${sandbox().image}`, '--env', 'TERMINAL_CONTAINER_MEMORY=256'],
  ];
  const inside = (...words: string[]) => call('exec', MARK, ...words);
  const json = async (...words: string[]) => {
    const { stdout, stderr } = await inside('hermes', ...words, '--json');
    expect(stdout, stderr).not.toBe('');
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    await dockerCommand(docker(), 'network', 'create', '--internal', MARK);
    const health = ['--health-interval=1s', '--health-start-period=0s', '--health-retries=30'];
    const named = ['--detach', '--name', MARK, ...health];
    await dockerCommand(docker(), 'run', ...named, ...(await withEngine(MARK)), gateway().image);
  });
  afterAll(async () => {
    for (const name of [MARK, CHAT]) await call('rm', '--force', '--volumes', name);
    for (const kind of ['volume', 'network']) await call(kind, 'rm', MARK);
  });

  it('says that it is well once it serves, and takes Docker by itself', { timeout: 60_000 }, async () => {
    const health = async () =>
      (await dockerCommand(docker(), 'inspect', '--format', '{{.State.Health.Status}}', MARK)).trim();
    await expect.poll(health, { timeout: 50_000, interval: 300 }).toBe('healthy');
    expect(await json('status')).toMatchObject({
      gateway: { state: 'ready', platforms: [{ name: 'web', state: 'connected' }] },
      messaging: { backend: 'docker', isolation: 'container', network: 'none' },
    });
    expect((await inside('hermes', 'sandbox', 'explain')).stdout).toMatch(
      /docker.*\bauto \(default\), chosen/s,
    );
    expect((await inside('hermes', 'explain', '--', 'ls')).code).toBe(0);
  });

  it('has no rights: not root, no capability, nothing to write to but its state', async () => {
    const script =
      'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status; stat -c "%a %U" /data; touch /opt/x /etc/x /data/x';
    const { stdout, stderr } = await inside('sh', '-c', script);
    const none = '0'.repeat(16);
    expect(stdout.trim().split(/\s+/).join(' ')).toBe(
      `10001 CapEff: ${none} CapBnd: ${none} NoNewPrivs: 1 700 gateway`,
    );
    expect(stderr.match(/Read-only file system/g)).toHaveLength(2);
    expect(composeService('compose.yaml')['ports']).toEqual(['127.0.0.1:8378:8378']);
  });

  it('makes a link that a browser on the host can open, and asks for the password besides', async () => {
    const { link } = await json('gateway', 'login');
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8378\/login\?token=/);
    const open = `const a = await fetch(${JSON.stringify(link)}, { redirect: 'manual' }); console.log(a.status, await a.text())`;
    const { stdout } = await inside('node', '--input-type=module', '-e', open);
    expect(stdout).toMatch(/^200 .*type="password"/s);
  });

  it('runs commands in containers beside it, over the socket that it was given', async () => {
    const { stdout, stderr, code } = await inside(
      'hermes',
      'run',
      '--backend',
      'docker',
      '--',
      'hostname; pwd',
    );
    expect(code, stderr).toBe(0);
    const [host, folder] = stdout.split('\n');
    expect(folder).toBe('/workspace');
    expect(host).not.toBe((await inside('hostname')).stdout.trim());
  });

  it('serves a chat from there', { timeout: 60_000 }, async () => {
    const script =
      "hermes people role console:console owner; echo '!echo hello from $(pwd)' | hermes gateway start --set=console.mode=text";
    const shell = ['--detach', '--name', CHAT, '--entrypoint', 'sh'];
    await dockerCommand(docker(), 'run', ...shell, ...(await withEngine()), gateway().image, '-c', script);
    const said = async () => (await dockerCommand(docker(), 'logs', CHAT)).toString();
    await expect.poll(said, { timeout: 50_000, interval: 300 }).toContain('hello from /workspace');
    const { stdout } = await call('exec', CHAT, 'hermes', 'sandbox', 'list', '--json');
    const [made, ...others] = JSON.parse(stdout).sandboxes;
    expect([made, others]).toMatchObject([{ backend: 'docker' }, []]);
    expect((await call('exec', CHAT, 'hermes', 'sandbox', 'destroy', made.id)).code).toBe(0);
  });

  it('says what works there and what does not', async () => {
    const { areas, backends, findings } = await json('doctor', '--all');
    const working = backends.filter(({ problems }: { problems: { severity?: string }[] }) =>
      problems.every(({ severity }) => severity === 'warning'),
    );
    expect(working.map(({ backend }: { backend: string }) => backend)).toEqual(['docker', 'local']);
    expect(areas.find(({ area }: { area: string }) => area === 'backends')).toMatchObject({
      state: 'warning',
    });
    const bubblewrap = findings.find(({ subject }: { subject: string }) => subject === 'bubblewrap');
    expect(bubblewrap.fix).toContain('this is a container, and most forbid namespaces');
  });

  it('names the price of an engine: root on its host', async () => {
    const { findings } = await json('security', 'audit');
    const ids = findings.map(({ id }: { id: string }) => id);
    expect(ids).toContain('doors.engine-in-container');
    expect(ids).not.toContain('operation.root');
  });

  it('P2: starts nothing where it has no engine, and never runs commands in its own container instead', async () => {
    const { code, stdout, stderr } = await call('run', '--rm', ...terms(), gateway().image);
    expect([code, stdout]).toEqual([69, '']);
    expect(stderr).toMatch(/UNAVAILABLE_BACKEND.*nothing runs on this machine itself/s);
    expect(stderr).toMatch(/docker: No Docker engine answers.*a socket that is mounted, or an address/);
    expect(stderr).toMatch(/bubblewrap: bwrap is not installed.*this is a container/);
    expect(stderr).toContain('set gateway.terminal_backend');
  });

  it('starts nothing without a password, because its page is open to other containers', async () => {
    const flags = [...(await withEngine()), '--env', 'WEB_PASSWORD='];
    const { code, stderr } = await call('run', '--rm', ...flags, gateway().image);
    expect(code).toBe(78);
    expect(stderr).toContain('web.password');
  });

  it('keeps its state when it is stopped and started again', async () => {
    const before = (await json('people', 'list')).people;
    expect(before).toMatchObject([{ platform: 'web', userId: 'owner', role: 'owner' }]);
    await dockerCommand(docker(), 'stop', MARK);
    const how = '{{.State.ExitCode}} {{.State.OOMKilled}}';
    expect((await dockerCommand(docker(), 'inspect', '--format', how, MARK)).trim()).toBe('143 false');
    const { stdout } = await call('run', '--rm', ...terms(MARK), gateway().image, 'people', 'list', '--json');
    expect(JSON.parse(stdout).people).toEqual(before);
  });
});
