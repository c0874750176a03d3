// The commands about sandboxes, sessions and the audit, as an operator calls them beside a gateway (P4, P5).
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewayLock } from '../../../src/sessions/gateway-lock.ts';
import { holdAlone } from '../../../src/store/sole-holder.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Beside, commandIn, hermesAt } from './hermes.ts';
import { untilFile } from './use-gateways.ts';
import { type Gateway, newHome, openGateway } from './world.ts';

const HOUR = 3_600_000;
const request = { purpose: 'run-1', actor: 'test:1' };

interface Started {
  readonly gateway: Gateway;
  readonly hermes: Beside;
}

let folder: string;
let open: Gateway[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-sessions-'));
});
afterEach(async () => {
  for (const gateway of open) await gateway.close();
  open = [];
  await rm(folder, { recursive: true });
});

type Environment = Readonly<Record<string, string>>;

async function started(
  given: 'local' | 'bubblewrap' | Environment,
  options: { readonly most?: number } = {},
): Promise<Started> {
  const cwd = given === 'local' ? { TERMINAL_CWD: await workspace() } : {};
  const environment: Environment = typeof given === 'string' ? { TERMINAL_ENV: given, ...cwd } : given;
  const home = await newHome();
  const gateway = await openGateway({ home, environment, ...options });
  open.push(gateway);
  return { gateway, hermes: hermesAt(home, environment) };
}

async function workspace(): Promise<string> {
  const path = join(folder, 'workspace');
  await mkdir(path, { recursive: true });
  return path;
}

function homeOf({ world }: Gateway): string {
  return (world.config as unknown as { paths: { home: string } }).paths.home; // the world's is the whole configuration
}

describe('on local', () => {
  it('lists, inspects and destroys, by as much of the id as is needed', async () => {
    const { gateway, hermes } = await started('local');
    expect(await hermes.text('sandbox', 'list')).toBe('There are no sandboxes.\n');
    const id = await commandIn(gateway, 'a', 'true');
    const session = await gateway.session('a');
    const list = await hermes.text('sandbox', 'list');
    expect(list).toMatch(new RegExp(`^${id} +ready +local +open +${session.id} `, 'm'));
    expect(list).toContain('isolation: local none');
    // None is, in a process of its own.
    expect(list).not.toContain('Gateway is running');
    expect(list).toContain('⚠ A sandbox on the backend local exists');
    expect(await hermes.json('sandbox', 'list')).toMatchObject({
      sandboxes: [{ id, state: 'ready', backend: 'local', sessionId: session.id, running: 0 }],
    });
    const inspected = await hermes.text('sandbox', 'inspect', `hermes-${id}`);
    expect(inspected).toContain(id);
    expect(inspected).toContain('gateway.sandbox_volumes, default');
    expect(await hermes.json('sandbox', 'inspect', id.slice(0, 8))).toMatchObject({
      ...{ id, state: 'ready', leases: [], processes: [], hasDrifted: false },
    });
    expect(await hermes.text('sandbox', 'destroy', id.slice(0, 8))).toBe(`${id} is gone.\n`);
    expect(await hermes.text('sandbox', 'list')).toBe('There are no sandboxes.\n');
    expect(await hermes.text('sandbox', 'list', '--all')).toContain('gone');
    expect(await gateway.world.store.ledger.find(id)).toMatchObject({ state: 'gone' });
  });

  it('the gateway makes a new one after somebody has destroyed the old', async () => {
    const { gateway, hermes } = await started('local');
    const id = await commandIn(gateway, 'a', 'true');
    await hermes.text('sandbox', 'destroy', id);
    await gateway.sweeper.sweep(['local']);
    expect(await commandIn(gateway, 'a', 'true')).not.toBe(id);
  });

  it('what somebody has destroyed makes room for others at the next sweep', async () => {
    const { gateway, hermes } = await started('local', { most: 1 });
    const id = await commandIn(gateway, 'a', 'true');
    await hermes.text('sandbox', 'destroy', id);
    await gateway.sweeper.sweep(['local']);
    await commandIn(gateway, 'b', 'true');
  });

  it('P5: refuses what is in use, and says by whom', async () => {
    const { gateway, hermes } = await started('local');
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const running = lease.exec(`${untilFile('go')}; echo done`);
    expect(await hermes.error('sandbox', 'destroy', lease.sandboxId)).toMatchObject({
      code: 'SANDBOX_IN_USE',
      exit: 71,
      message: expect.stringMatching(/in use: run-1 \(gateway\) since \d{4}-/),
    });
    await lease.exec('touch go');
    expect(await running).toMatchObject({ outcome: 'exited', stdout: 'done\n' });
    await lease.release();
  });

  it('P5: takes no gateway that lives for dead, however late it is', async () => {
    const { gateway, hermes } = await started('local');
    const id = await commandIn(gateway, 'a', 'true');
    const { id: sessionId } = await gateway.session('a');
    const { leases } = gateway.world.store;
    await leases.take({ sandboxId: id, sessionId, holder: 'gateway-1', purpose: 'run-1', expiresAt: 1 });
    const hold = holdAlone(gatewayLock(homeOf(gateway)));
    expect(await hermes.error('sandbox', 'destroy', id)).toMatchObject({ code: 'SANDBOX_IN_USE' });
    await hermes.json('sandbox', 'prune');
    expect(await leases.list(id)).toHaveLength(1);
    hold?.release();
    expect(await hermes.text('sandbox', 'destroy', id)).toBe(`${id} is gone.\n`);
  });

  it('says what cannot be suspended, and what to do instead', async () => {
    const { gateway, hermes } = await started('local');
    const id = await commandIn(gateway, 'a', 'true');
    expect(await hermes.error('sandbox', 'suspend', id)).toMatchObject({
      code: 'USAGE_BAD_ARGUMENTS',
      message: expect.stringContaining(`hermes sandbox destroy ${id}`),
    });
  });

  it('says of an id that it is unknown, or whose beginning it is', async () => {
    const { gateway, hermes } = await started('local');
    const ids = [];
    for (const id of ['same2aaaaaaaaaaa', 'same2bbbbbbbbbbb']) {
      ids.push(id);
      const row = { id, installation: gateway.world.installation, backend: 'local', policyHash: 'x' };
      await gateway.world.store.ledger.enter({
        ...row,
        ...{ whenIdle: 'destroy', policy: {}, deadline: gateway.world.clock.now() + HOUR },
      });
    }
    for (const verb of ['inspect', 'logs', 'files', 'suspend', 'destroy']) {
      expect(await hermes.error('sandbox', verb, 'same2')).toMatchObject({
        code: 'USAGE_UNKNOWN_ID',
        exit: 2,
        message: expect.stringContaining(ids.join(', ')),
      });
    }
    expect(await hermes.error('sandbox', 'inspect', 'nosuch')).toMatchObject({
      code: 'USAGE_UNKNOWN_ID',
      message: expect.stringContaining('hermes sandbox list --all'),
    });
    expect(await hermes.error('sandbox', 'destroy', 'same2a')).toMatchObject({ code: 'SANDBOX_IN_USE' });
  });

  it('copies files in and out while the gateway uses the sandbox', async () => {
    const { gateway, hermes } = await started('local');
    await using lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const id = lease.sandboxId;
    await writeFile(join(folder, 'data.bin'), Buffer.from([0, 255, 10, 13]));
    expect(await hermes.json('sandbox', 'put', id, join(folder, 'data.bin'), 'in/')).toMatchObject({
      bytes: 4,
      path: 'in/data.bin',
    });
    expect(await hermes.json('sandbox', 'files', id, 'in')).toMatchObject({
      files: [{ name: 'data.bin', type: 'file', size: 4 }],
    });
    expect(await hermes.text('sandbox', 'files', id)).toContain('in/');
    const target = join(folder, 'back.bin');
    expect(await hermes.json('sandbox', 'get', id, 'in/data.bin', target)).toMatchObject({ bytes: 4 });
    expect(await readFile(target)).toEqual(Buffer.from([0, 255, 10, 13]));
    expect(await hermes.error('sandbox', 'get', id, 'in/data.bin', target)).toMatchObject({
      code: 'USAGE_HOST_FILE',
      message: expect.stringContaining('--force'),
    });
    await hermes.json('sandbox', 'get', id, 'in/data.bin', target, '--force');
    expect(await hermes.error('sandbox', 'get', id, 'nosuch', `${target}2`)).toMatchObject({
      code: 'SANDBOX_FILE_MISSING',
    });
    expect(await hermes.error('sandbox', 'put', id, folder)).toMatchObject({ code: 'USAGE_HOST_FILE' });
    expect(await lease.exec('cat in/data.bin | wc -c')).toMatchObject({ stdout: '4\n' });
    expect(await gateway.world.store.leases.list(id)).toHaveLength(1);
  });

  it('shows what was done, and the end of what background processes wrote', async () => {
    const { gateway, hermes } = await started('local');
    const id = await commandIn(gateway, 'a', 'echo one');
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const process = await lease.start('echo from the background; sleep 600');
    await lease.release();
    await expect.poll(async () => String(Buffer.from(await process.log()))).toContain('from the');
    const text = await hermes.text('sandbox', 'logs', id);
    expect(text).toMatch(/test:1 +echo one +exited 0/);
    expect(text).toContain('  | from the background');
    expect(await hermes.json('sandbox', 'logs', id)).toMatchObject({
      entries: [
        { subject: 'echo one', outcome: 'started' },
        { subject: 'echo one', outcome: 'exited 0' },
        { subject: 'echo from the background; sleep 600', outcome: 'started' },
      ],
      processes: [{ id: process.id, state: 'running', log: 'from the background' }],
      unread: null,
    });
    expect(await hermes.text('sandbox', 'list')).toMatch(/ 1$/m);
    await process.kill();
  });

  it('P7: hides secrets that a background process has printed', async () => {
    const { gateway, hermes } = await started('local');
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const process = await lease.start(
      `printf '%s%s\\n' ghp_ aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6; sleep 600`,
    );
    await lease.release();
    await expect.poll(async () => String(Buffer.from(await process.log()))).toContain('ghp_aB3');
    expect(await hermes.json('sandbox', 'logs', lease.sandboxId)).toMatchObject({
      processes: [{ log: expect.stringMatching(/^\[redacted:[\w-]+\]$/) }],
    });
    await process.kill();
  });

  it('lists what a command left running as well', async () => {
    const { gateway, hermes } = await started('local');
    const id = await commandIn(gateway, 'a', 'sleep 600 & echo bg');
    expect(await hermes.text('sandbox', 'list')).toMatch(/ 1$/m);
    expect(await hermes.text('sandbox', 'inspect', id)).toContain('sleep 600 & echo bg');
    for (const process of (await gateway.sandboxes.life.handle(id)?.processes()) ?? []) await process.kill();
  });

  it('lists, shows and deletes sessions, but for one that has a sandbox', async () => {
    const { gateway, hermes } = await started('local');
    const id = await commandIn(gateway, 'room\u001b[2J5', 'true');
    const session = await gateway.session('room\u001b[2J5');
    const list = await hermes.text('session', 'list');
    expect(list).toMatch(new RegExp(`^${session.id} +test +room5 .*ready$`, 'm'));
    expect(await hermes.json('session', 'list')).toMatchObject({
      sessions: [{ id: session.id, sandbox: { id, state: 'ready' } }],
    });
    expect(await hermes.text('session', 'show', session.id.slice(0, 9))).toContain(id);
    expect(await hermes.json('session', 'show', session.id)).toMatchObject({ sandboxes: [{ id }] });
    expect(await hermes.error('session', 'delete', session.id)).toMatchObject({
      code: 'SANDBOX_STILL_THERE',
      message: expect.stringContaining(`hermes sandbox destroy ${id}`),
    });
    await hermes.text('sandbox', 'destroy', id);
    expect(await hermes.text('session', 'delete', session.id)).toBe(`${session.id} is deleted.\n`);
    expect(await hermes.text('session', 'list', '--all')).toBe('There are no sessions.\n');
    expect(await hermes.error('session', 'show', session.id)).toMatchObject({ code: 'USAGE_UNKNOWN_ID' });
  });

  it('lists the audit by time and session, without secrets', async () => {
    const { gateway, hermes } = await started('local');
    await commandIn(gateway, 'a', 'echo hunter2');
    const id = await commandIn(gateway, 'b', 'echo two');
    const session = await gateway.session('a');
    const text = await hermes.text('audit', 'list');
    expect(text).toMatch(/test:1 +echo \*\*\* +exited 0/);
    expect(await hermes.json('audit', 'list', '--session', session.id.slice(0, 9))).toMatchObject({
      entries: [
        { actor: 'test:1', action: 'command', subject: 'echo ***', outcome: 'started' },
        { actor: 'test:1', action: 'command', subject: 'echo ***', outcome: 'exited 0' },
      ],
    });
    expect(await hermes.json('audit', 'list', '--last', '1')).toMatchObject({
      entries: [{ subject: 'echo two' }],
    });
    expect(await hermes.json('audit', 'list', '--since', '2h')).toMatchObject({ entries: { length: 4 } });
    expect(await hermes.json('audit', 'list', '--since', '2999-01-01T00:00:00Z')).toEqual({ entries: [] });
    expect(await hermes.error('audit', 'list', '--since', 'noon')).toMatchObject({ exit: 2 });
    await hermes.text('sandbox', 'destroy', id);
    expect(await hermes.json('audit', 'list', '--last', '1')).toMatchObject({
      entries: [{ actor: 'cli', action: 'destroy', sandboxId: id, outcome: 'done' }],
    });
  });
});

function pruneOn(backend: 'local' | 'bubblewrap'): void {
  it(`P4: prunes orphans and failed ones on ${backend}, and leaves what is used or another's`, async () => {
    const { gateway, hermes } = await started(backend);
    const { world } = gateway;
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const spec = { limits: {}, mounts: [], env: {}, persistent: true };
    const orphan = await gateway.backend.create({
      ...spec,
      ...{ id: 'orphan33orphan33', installation: world.installation },
    });
    const stranger = await gateway.backend.create({
      ...spec,
      ...{ id: 'strange3strange3', installation: 'somebody' },
    });
    const failed = { id: 'failed33failed33', installation: world.installation, backend };
    await world.store.ledger.enter({
      ...failed,
      ...{ whenIdle: 'destroy', policyHash: 'x', policy: {}, deadline: world.clock.now() + HOUR },
    });
    await world.store.ledger.move(failed.id, 'failed', { problem: 'it broke' });
    expect(await hermes.text('sandbox', 'list')).toContain('failed33failed33: it broke');

    const found = [
      { id: orphan.ref.id, reason: 'orphan', backend },
      { id: failed.id, reason: 'failed', backend },
    ];
    const looked = await hermes.json('sandbox', 'prune', '--dry-run');
    expect(looked).toMatchObject({ dryRun: true, found, removed: [], problems: [] });
    expect(await hermes.text('sandbox', 'prune', '--dry-run')).toContain('would be removed');
    expect(await hermes.json('sandbox', 'prune')).toMatchObject({
      ...{ found, removed: [orphan.ref.id, failed.id], problems: [] },
    });
    expect(await hermes.text('sandbox', 'prune')).toBe('There is nothing to remove.\n');

    expect(await lease.exec('echo alive')).toMatchObject({ stdout: 'alive\n' });
    const strangers: string[] = [];
    for await (const { id } of gateway.backend.list('somebody')) strangers.push(id);
    expect(strangers).toEqual([stranger.ref.id]);
    await lease.release();
    await stranger.destroy();
  });
}

describe('prune', () => {
  pruneOn('local');

  it('exits 1 and says so when a backend cannot be reached', async () => {
    const { hermes } = await started('local');
    const env = { TERMINAL_ENV: 'docker', DOCKER_HOST: 'unix:///nonexistent/docker.sock' };
    const { code, stdout } = await hermes.run(['sandbox', 'prune'], env);
    expect(code).toBe(1);
    expect(stdout).toContain('! docker: ');
  });
});

/** Between a gateway that lives and the commands of an operator. */
function suspending(environment: () => Environment): void {
  it('suspends under a living gateway, which resumes it with its files', async () => {
    const { gateway, hermes } = await started(environment());
    const id = await commandIn(gateway, 'a', 'echo mine >note');
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const process = await lease.start('sleep 600');
    await lease.release();
    expect(await hermes.json('sandbox', 'suspend', id)).toEqual({
      sandbox: id,
      state: 'suspended',
      ended: 1,
    });
    await expect(process.poll()).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    expect(await hermes.text('sandbox', 'suspend', id)).toBe(`${id} is suspended.\n`);
    expect(await gateway.world.store.ledger.find(id)).toMatchObject({ state: 'suspended' });
    expect(await commandIn(gateway, 'a', 'grep -q mine note')).toBe(id);
    await hermes.text('sandbox', 'suspend', id);
    await gateway.sweeper.sweep([gateway.backend.name]);
    expect(await commandIn(gateway, 'a', 'grep -q mine note')).toBe(id);
  });

  it('wakes a suspended one only when told to, and suspends it again', async () => {
    const { gateway, hermes } = await started(environment());
    const id = await commandIn(gateway, 'a', 'mkdir d; echo mine >d/note');
    await hermes.text('sandbox', 'suspend', id);
    for (const args of [
      ['files', id],
      ['get', id, 'd/note', join(folder, 'n')],
    ]) {
      expect(await hermes.error('sandbox', ...args)).toMatchObject({
        code: 'SANDBOX_SUSPENDED',
        message: expect.stringContaining('--wake'),
      });
    }
    const hold = holdAlone(gatewayLock(homeOf(gateway)));
    expect(await hermes.json('sandbox', 'files', id, 'd', '--wake')).toMatchObject({
      path: '/workspace/d',
      files: [{ name: 'note', size: 5 }],
    });
    expect(await gateway.world.store.ledger.find(id)).toMatchObject({ state: 'suspended' });
    await writeFile(join(folder, 'plain.txt'), 'put here');
    await hermes.text('sandbox', 'put', id, join(folder, 'plain.txt'), '--wake');
    await hermes.json('sandbox', 'get', id, 'd/note', join(folder, 'note'), '--wake');
    expect(await readFile(join(folder, 'note'), 'utf8')).toBe('mine\n');
    hold?.release();
    expect(await gateway.world.store.leases.list()).toEqual([]);
    expect(await commandIn(gateway, 'a', 'grep -q "put here" plain.txt')).toBe(id);
  });

  it('what is under way with it is waited for, and what was cut off is taken up again', async () => {
    const { gateway } = await started(environment());
    const { ledger } = gateway.world.store;
    const id = await commandIn(gateway, 'a', 'echo mine >note');
    const deadline = gateway.world.clock.now() + HOUR;
    await ledger.move(id, 'suspending', { deadline });
    const waiting = commandIn(gateway, 'a', 'grep -q mine note');
    await ledger.move(id, 'suspended');
    expect(await waiting).toBe(id);
    await ledger.move(id, 'suspending', { deadline: deadline - 2 * HOUR });
    expect(await commandIn(gateway, 'a', 'grep -q mine note')).toBe(id);
  });
}

describeWith('bubblewrap', () => {
  pruneOn('bubblewrap');
  suspending(() => ({ TERMINAL_ENV: 'bubblewrap' }));

  it('enters none whose processes belong to a living gateway, and ends none of them', async () => {
    const { gateway, hermes } = await started('bubblewrap');
    const id = await commandIn(gateway, 'a', 'echo mine >note');
    const hold = holdAlone(gatewayLock(homeOf(gateway)));
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const process = await lease.start('sleep 600');
    await lease.release();
    expect(await hermes.error('sandbox', 'files', id)).toMatchObject({
      code: 'SANDBOX_IN_USE',
      message: expect.stringContaining(`hermes sandbox suspend ${id}`),
    });
    expect(await hermes.json('sandbox', 'logs', id)).toMatchObject({
      processes: [{ id: process.id, state: 'running', log: null }],
      unread: expect.stringContaining('belong to the gateway'),
    });
    expect(await process.poll()).toEqual({ state: 'running' });
    hold?.release();
  });

  it('shows the terms that a sandbox was made by, and that the settings have left it', async () => {
    const { gateway, hermes } = await started('bubblewrap');
    const id = await commandIn(gateway, 'a', 'true');
    const { id: sessionId } = await gateway.session('a');
    await gateway.world.store.sessions.setNetwork(sessionId, 'open');
    const list = await hermes.text('sandbox', 'list');
    expect(list).toMatch(new RegExp(`^${id} +ready +bubblewrap +none `, 'm'));
    expect(list.replaceAll('\n', ' ')).toContain(
      '(network none → open); it is rebuilt with the next command, with the files of its workspace.',
    );
    const row = { id, isolation: 'container', network: 'none', drift: [{ part: 'network', is: 'open' }] };
    expect(await hermes.json('sandbox', 'list')).toMatchObject({ sandboxes: [row] });
    const live = { backend: 'bubblewrap', isolation: 'container', network: 'none', count: 1, outdated: 1 };
    expect(await hermes.json('status')).toMatchObject({ live: [live] });
    const status = (await hermes.text('status')).replaceAll(/\s+/g, ' ');
    expect(status).toContain(
      '1 on bubblewrap, isolation container, network none; 1 made by earlier settings',
    );
  });

  it('repeats the warning about `local` as long as a sandbox is there', async () => {
    const { gateway, hermes } = await started('local');
    await commandIn(gateway, 'a', 'true');
    const changed = { TERMINAL_ENV: 'bubblewrap' };
    const { stdout } = await hermes.run(['status'], changed);
    expect(stdout).toContain('\n⚠ A sandbox on the backend local exists');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('1 on local, isolation none, network open; 1 made by');
    expect((await hermes.run(['sandbox', 'list'], changed)).stdout).toContain(
      '⚠ A sandbox on the backend local exists',
    );
  });

  it('enters a ready one whose gateway has gone', async () => {
    const { gateway, hermes } = await started('bubblewrap');
    const id = await commandIn(gateway, 'a', 'echo mine >note');
    await gateway.drop();
    open = [];
    expect(await hermes.text('sandbox', 'files', id)).toContain('note');
    const home = homeOf(gateway);
    const next = await openGateway({ home, environment: { TERMINAL_ENV: 'bubblewrap' } });
    open.push(next);
    await next.sweeper.sweep(['bubblewrap']);
    expect(await commandIn(next, 'a', 'grep -q mine note')).toBe(id);
  });

  it('hermes run takes the first backend that works, and records nothing', async () => {
    const { gateway, hermes } = await started('bubblewrap');
    const env = { TERMINAL_ENV: 'auto', DOCKER_HOST: 'unix:///nonexistent/docker.sock' };
    const { code, stdout, stderr } = await hermes.run(['run', '--', 'pwd'], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '/workspace\n' });
    expect(stderr).toContain('auto has come to bubblewrap');
    expect(await gateway.world.store.installation.read()).toMatchObject({ backend: null });
    await gateway.world.store.installation.recordBackend('docker');
    const again = await hermes.run(['run', '--backend', 'auto', '--', 'pwd'], env);
    expect(again).toMatchObject({ code: 69, stdout: '' });
  });
});

describeWith('image-bookworm', address => {
  const environment = (): Environment => ({
    TERMINAL_ENV: 'docker',
    DOCKER_HOST: address().docker.host,
    TERMINAL_DOCKER_IMAGE: address().image,
    TERMINAL_CONTAINER_MEMORY: '256',
  });
  suspending(environment);

  it('enters one that the gateway is using', async () => {
    const { gateway, hermes } = await started(environment());
    await using lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    const running = lease.exec(`cd /tmp; ${untilFile('/workspace/go')}; pwd`, { persistent: true });
    await writeFile(join(folder, 'plain.txt'), 'put here');
    await hermes.text('sandbox', 'put', lease.sandboxId, join(folder, 'plain.txt'));
    expect(await hermes.text('sandbox', 'files', lease.sandboxId)).toContain('plain.txt');
    await lease.exec('touch /workspace/go');
    expect(await running).toMatchObject({ outcome: 'exited', stdout: '/tmp\n', notices: [] });
    expect(await lease.exec('cat /workspace/plain.txt')).toMatchObject({ stdout: 'put here' });
  });
});
