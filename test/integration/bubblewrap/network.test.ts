// An open network of bubblewrap sandboxes. The gateway runs in a network namespace that the test makes: a public address
// stands on its loopback interface, and no packet can leave it.
import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';

const PUBLIC = '198.51.100.7';
const isRoot = process.getuid?.() === 0;
const USER = 12_345;
const AS_USER = ['setpriv', '--reuid', String(USER), '--regid', String(USER), '--clear-groups', '--'];
const OPEN = {
  first: { public: 'reached', helpers: 1 },
  loopback: 'refused',
  gateway: 'refused',
  interfaces: 'lo tap0',
  capabilities: 'CapEff:\t0000000000000000',
  change: 'refused',
  names: 'nameserver 10.0.2.3\nhosts: files dns',
  suspended: 0,
  resumed: 'reached',
  left: 0,
};
const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Prints what was seen from inside and outside. */
const script = (home: string): string => `
  const { makeBackend, countHostProcesses, hostPid } = await import(${url('./ground.ts')});
  const { systemClock } = await import(${url('../../../src/base/clock.ts')});
  const { SandboxHandle } = await import(${url('../../../src/index.ts')});
  const { createServer } = await import('node:net');
  const { readFileSync } = await import('node:fs');
  const listen = host => new Promise(resolve => {
    const server = createServer(socket => { socket.on('error', () => {}); socket.end('reached'); });
    server.listen(0, host, () => resolve(server));
  });
  const servers = await Promise.all(['${PUBLIC}', '127.0.0.1'].map(listen));
  const [open, closed] = servers.map(server => server.address().port);
  const tcp = (host, port) => 'timeout 15 bash -c "exec 3<>/dev/tcp/' + host + '/' + port + ' && cat <&3" 2>/dev/null || echo refused';
  const backend = await makeBackend(${JSON.stringify(home)});
  const spec = { id: 'net', installation: 'test', limits: { processes: 64 }, mounts: [], env: {}, persistent: true, network: 'open' };
  const sandbox = await backend.create(spec);
  const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
  const run = async command => (await handle.exec(command)).stdout.trim();
  const helpers = () => countHostProcesses('slirp4netns --configure');
  const look = async () => ({ public: await run(tcp('${PUBLIC}', open)), helpers: await helpers() });
  const seen = {
    first: await look(),
    loopback: await run(tcp('127.0.0.1', closed)),
    gateway: await run(tcp('10.0.2.2', closed)),
    interfaces: await run("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | sort | tr '\\\\n' ' '"),
    capabilities: await run('grep CapEff /proc/self/status'),
    change: await run('ip addr add 10.9.9.9/32 dev tap0 2>/dev/null || echo refused'),
    names: await run('cat /etc/resolv.conf; grep hosts /etc/nsswitch.conf'),
uid: Number(/Uid:\\t(\\d+)/.exec(readFileSync('/proc/' + (await hostPid('slirp4netns --configure')) + '/status', 'utf8'))[1]),
  };
  await sandbox.suspend();
  seen.suspended = await helpers();
  await sandbox.resume();
  const again = await SandboxHandle.open({ sandbox, clock: systemClock });
  seen.resumed = (await again.exec(tcp('${PUBLIC}', open))).stdout;
  await again.destroy();
  seen.left = await helpers();
  await backend.close();
  for (const server of servers) server.close();
  console.log(JSON.stringify(seen));`;

/** What is said where the program is missing; and that nothing else is. */
const refusal = (home: string): string => `
  const { makeBackend } = await import(${url('./ground.ts')});
  const backend = await makeBackend(${JSON.stringify(home)});
  const spec = { id: 'net', installation: 'test', limits: {}, mounts: [], env: {}, persistent: true, network: 'open' };
  const { code, message } = await backend.create(spec).catch(error => error);
  console.log(JSON.stringify({ code, message, problems: await backend.check() }));`;

describeWith('bubblewrap', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'network-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  /** In a network namespace of its own, with a device that is open to root alone or to everybody. */
  const runApart = async (
    mode: '600' | '666',
    program: readonly string[],
  ): Promise<Record<string, unknown>> => {
    const device = `mount -t tmpfs none /dev/net && mknod -m ${mode} /dev/net/tun c 10 200`;
    const setUp = `ip link set lo up; ip addr add ${PUBLIC}/32 dev lo; ${device}; exec "$@"`;
    const args = ['--net', '--mount', 'sh', '-c', setUp, 'sh', ...program];
    const { stdout } = await promisify(execFile)('unshare', args, { timeout: 55_000, cwd: '/' });
    return JSON.parse(stdout) as Record<string, unknown>; // printed by the scripts above
  };
  const node = (text: string): string[] => [process.execPath, '--input-type=module', '-e', text];

  it.skipIf(!isRoot)('of root leads to public addresses, and not to the host’s loopback', async () => {
    const { uid, ...seen } = await runApart('600', node(script(home)));
    expect(seen).toEqual(OPEN);
    expect(uid).toBeGreaterThanOrEqual(2_000_000_000);
  });

  it.skipIf(!isRoot)('of an ordinary user does the same, where the device is open to all', async () => {
    await chown(home, USER, USER);
    expect(await runApart('666', [...AS_USER, ...node(script(home))])).toEqual({ ...OPEN, uid: USER });
  });

  it.skipIf(!isRoot)('of an ordinary user is refused where the device is not, with what to do', async () => {
    await chown(home, USER, USER);
    const { code, message } = await runApart('600', [...AS_USER, ...node(refusal(home))]);
    expect(code).toBe('UNAVAILABLE_BACKEND');
    expect(message).toMatch(
      /could not be opened.*\/dev\/net\/tun.*Permission denied.*or use the network none\.$/s,
    );
  });

  it.skipIf(!isRoot)('is refused where no program can make it, with what to install', async () => {
    const hide = 'mount --bind /dev/null "$(command -v slirp4netns)"; exec "$@"';
    const args = ['--mount', 'sh', '-c', hide, 'sh', ...node(refusal(home))];
    const { stdout } = await promisify(execFile)('unshare', args, { timeout: 55_000 });
    expect(JSON.parse(stdout)).toEqual({
      code: 'UNAVAILABLE_BACKEND',
      message:
        'The bubblewrap backend cannot be used: an open network needs slirp4netns, which is not installed. Install it, on Debian and Ubuntu with: apt-get install slirp4netns. Or use the network none.',
      problems: [],
    });
  });
});
