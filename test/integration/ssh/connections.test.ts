// Many sandboxes on one machine, connections that break, and what is left when all is over.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type Backend, SandboxHandle } from '../../../src/index.ts';
import { runCommand } from '../../services/command.ts';
import { describeWith } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { type SshServer, startSshServer } from './ssh-server.ts';
import {
  clientsOf,
  hasSandboxes,
  INSTALLATION,
  listed,
  mastersOf,
  openHandle,
  processesWith,
  sandboxFolder,
  socketDirs,
  taggedProcesses,
} from './ssh-trial.ts';

let server: SshServer;
let backend: Backend;

async function setUp(): Promise<void> {
  server = await startSshServer();
  backend = await server.backend();
}

/** After every test nothing is there: no client, no connection, no socket, no folder. */
async function tearDown(): Promise<void> {
  await backend.close();
  expect(await clientsOf(server)).toEqual([]);
  expect(await socketDirs()).toEqual([]);
  expect(hasSandboxes(server)).toBe(false);
  await until(async () => (await server.connections()).length === 0, 'the server sees no connection');
  await server.stop();
}

describeWith('ssh', () => {
  beforeEach(setUp);
  afterEach(tearDown);

  it('serves 12 sandboxes at once over few connections, though sshd allows 10 sessions on each', async () => {
    const handles = await Promise.all(Array.from({ length: 12 }, () => openHandle(backend)));
    const results = await Promise.all(handles.map((handle, at) => handle.exec(`sleep 0.1; echo ${at}`)));
    expect(results.map(({ stdout }) => Number(stdout))).toEqual([...handles.keys()]);
    const connections = (await server.connections()).length;
    expect(connections).toBeGreaterThan(1);
    expect(connections).toBeLessThanOrEqual(5);
    await Promise.all(handles.map(handle => handle.destroy()));
  });

  it('leaves the others alone when one is destroyed', async () => {
    const [first, second] = await Promise.all([openHandle(backend), openHandle(backend)]);
    const running = second.exec('until [ -e go ]; do sleep 0.02; done; echo still here');
    await first.destroy();
    expect(await taggedProcesses(first.ref.id)).toEqual([]);
    expect(existsSync(sandboxFolder(server, first.ref))).toBe(false);
    await second.exec('touch go');
    expect(await running).toMatchObject({ outcome: 'exited', stdout: 'still here\n' });
    expect((await server.connections()).length).toBe(1);
    await second.destroy();
    await second.destroy();
  });

  it.each([
    ['the connection’s process here is killed', async () => mastersOf(server)],
    ['the server’s end of the connection is killed', async () => server.connections()],
  ])('tells the loss when %s, ends what ran, and goes on', async (_how, victims) => {
    const handle = await openHandle(backend);
    await handle.exec('x=7', { persistent: true });
    const running = handle.exec('sleep 514253001; echo AFTER');
    await until(async () => (await processesWith('514253001')).length > 0, 'the command runs');
    for (const pid of await victims()) process.kill(pid, 'SIGKILL');
    expect(await running).toMatchObject({ outcome: 'sandbox-lost', stdout: '' });
    expect((await handle.exec('echo again')).stdout).toBe('again\n');
    expect(await processesWith('514253001')).toEqual([]);
    expect((await handle.exec('echo $x', { persistent: true })).stdout).toBe('7\n');
    await handle.destroy();
  });

  it('keeps background processes when the connection is lost, and can still end them', async () => {
    const handle = await openHandle(backend);
    const started = await handle.start('sleep 514253002');
    for (const pid of await mastersOf(server)) process.kill(pid, 'SIGKILL');
    // Until the loss has been noticed, a command may still be given to a shell that is gone.
    await until(async () => (await handle.exec('true')).outcome === 'exited', 'there is a new connection');
    expect(await started.poll()).toEqual({ state: 'running' });
    await started.kill();
    expect(await processesWith('514253002')).toEqual([]);
    await handle.destroy();
  });

  it('goes on when the server was restarted', async () => {
    const handle = await openHandle(backend);
    await server.restart();
    expect((await handle.exec('echo same connection')).stdout).toBe('same connection\n');
    const other = await openHandle(backend);
    expect((await other.exec('echo other')).stdout).toBe('other\n');
    await Promise.all([handle.destroy(), other.destroy()]);
  });
});

describeWith('ssh', () => {
  beforeEach(setUp);
  afterEach(tearDown);

  it('sweeps what a gateway that was killed has left, and ends its connection', async () => {
    const gateway = fileURLToPath(new URL('./killed-gateway.ts', import.meta.url));
    const { gatewayHome, port, keyFile, dir } = server;
    const settings = { HERMES_TEST_SSH_PORT: String(port), HERMES_TEST_SSH_KEY: keyFile };
    const killed = runCommand([process.execPath, gateway], {
      env: { ...settings, HERMES_HOME: gatewayHome, TMPDIR: dir },
    });
    await expect(killed).rejects.toMatchObject({ exitCode: null });
    await until(async () => (await processesWith('51425300')).length > 0, 'the background process is there');

    const [ref, ...others] = await listed(backend, INSTALLATION);
    expect(ref).toMatchObject({ session: 'chat-1' });
    expect(others).toEqual([]);
    expect(await listed(backend, 'another')).toEqual([]);
    expect((await server.connections()).length).toBe(1);
    if (ref === undefined) return;
    const sandbox = await backend.attach(ref);
    const again = await SandboxHandle.open({ sandbox, clock: systemClock });
    expect(again.workdir).toBe(server.home);
    expect(await again.processes()).toHaveLength(1);
    await again.destroy();

    expect(await taggedProcesses(ref.id)).toEqual([]);
    expect(await processesWith('51425300')).toEqual([]);
    expect(existsSync(sandboxFolder(server, ref))).toBe(false);
    await expect(backend.attach(ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });
});

describeWith('ssh', () => {
  it.each([1, 2, 3])('works on a server that allows %i sessions on a connection', async most => {
    const strict = await startSshServer({ config: [`MaxSessions ${most}`] });
    const other = await strict.backend();
    const handles = await Promise.all([openHandle(other), openHandle(other)]);
    for (const handle of handles) {
      expect((await handle.exec('echo $((6 * 7))')).stdout).toBe('42\n');
      expect(await handle.exec('sleep 60', { timeoutMs: 100 })).toMatchObject({ outcome: 'timed-out' });
      await handle.destroy();
    }
    await other.close();
    await strict.stop();
  });
});
