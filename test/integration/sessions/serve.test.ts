// A gateway's sandboxes as it serves: one gateway for a home, drift, the network of one session, files in and out.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { receiveFile, safeName, sendableFile } from '../../../src/sessions/attachments.ts';
import { gatewayLock } from '../../../src/sessions/gateway-lock.ts';
import { mostFor, serveSandboxes } from '../../../src/sessions/serve.ts';
import { holdAlone } from '../../../src/store/sole-holder.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Gateway, type GatewayOptions, newHome, openGateway } from './world.ts';

const request = { purpose: 'run', actor: 'test:1' };
const open: Gateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

async function started(environment: GatewayOptions['environment'], home?: string): Promise<Gateway> {
  const gateway = await openGateway({ home: home ?? (await newHome()), environment });
  open.push(gateway);
  return gateway;
}

const served = (home: string, pid: number) => ({ home, pid, memoryBytes: 8 * 1024 ** 3 });

describe('a gateway', () => {
  it('is alone on its home: the second one is refused and told of the first', async () => {
    const home = await newHome();
    const [first, second] = [
      await started({ TERMINAL_ENV: 'local' }, home),
      await started({ TERMINAL_ENV: 'local' }, home),
    ];
    const serving = await serveSandboxes(first.world, served(home, 4711));
    await expect(serveSandboxes(second.world, served(home, 4712))).rejects.toMatchObject({
      code: 'UNAVAILABLE_GATEWAY',
      message: expect.stringContaining('process 4711'),
    });
    await serving.close();
    await (await serveSandboxes(second.world, served(home, 4712))).close();
    // The home is removed with the first.
    open.pop();
    await second.drop();
  });

  it('starts although a command looks just then whether one runs', async () => {
    const home = await newHome();
    const { world } = await started({ TERMINAL_ENV: 'local' }, home);
    let look = holdAlone(gatewayLock(home));
    // The command is through when the gateway waits for it.
    const after: Clock['after'] = (...given) => {
      look?.release();
      look = undefined;
      return world.clock.after(...given);
    };
    const clock = { ...world.clock, after };
    await (await serveSandboxes({ ...world, clock }, served(home, 4713))).close();
  });

  it('P4: sweeps every backend that the settings or the recorded choice name', async () => {
    const home = await newHome();
    const environment = { TERMINAL_ENV: 'bubblewrap', GATEWAY_TERMINAL_BACKEND: 'local' };
    const { world } = await started(environment, home);
    await world.store.installation.recordBackend('bubblewrap');
    const spec = { limits: {}, mounts: [], env: {}, persistent: true, installation: world.installation };
    const orphan = await (await world.backend('bubblewrap')).create({ ...spec, id: 'orphan33orphan33' });
    const serving = await serveSandboxes(world, served(home, 4714));
    await serving.close();
    expect(serving.swept.orphans).toEqual([orphan.ref.name]);
  });

  it('reckons with the memory of the machine', () => {
    expect([1, 8, 64].map(gib => mostFor(gib * 1024 ** 3))).toEqual([2, 16, 128]);
  });
});

describe('files', () => {
  it('come in under a name that is safe, and replace nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'work-'));
    const { sandboxes, session } = await started({ TERMINAL_ENV: 'local', TERMINAL_CWD: folder });
    await using lease = await sandboxes.lease(await session('a'), request);
    const bytes = Buffer.from([0, 255, 10]);
    expect(await receiveFile(lease.handle, { name: '../../etc/pass wd.txt', bytes })).toBe(
      `${folder}/inbox/pass wd.txt`,
    );
    expect(await receiveFile(lease.handle, { name: 'pass wd.txt', bytes })).toBe(
      `${folder}/inbox/pass wd-2.txt`,
    );
    expect(Buffer.from(await sendableFile(lease.handle, 'inbox/pass wd.txt', 100))).toEqual(bytes);
    const many = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        receiveFile(lease.handle, { name: 'same', bytes: Buffer.from(`${at}`) }),
      ),
    );
    const contents = await Promise.all(many.map(path => sendableFile(lease.handle, path, 100)));
    expect(contents.map(each => Buffer.from(each).toString())).toEqual(['0', '1', '2', '3', '4']);
    await rm(folder, { recursive: true });
  });

  it('go out only from the workspace, whatever links say, and up to a size', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'work-'));
    const { sandboxes, session } = await started({ TERMINAL_ENV: 'local', TERMINAL_CWD: folder });
    await using lease = await sandboxes.lease(await session('a'), request);
    await symlink('/etc/passwd', join(folder, 'link'));
    await writeFile(join(folder, 'big'), 'x'.repeat(101));
    for (const path of ['link', '/etc/passwd', '../../../../../../../../etc/passwd', 'big']) {
      await expect(sendableFile(lease.handle, path, 100)).rejects.toMatchObject({
        code: 'SANDBOX_FILE_REFUSED',
      });
    }
    await rm(folder, { recursive: true });
  });

  it.each([
    ['a/b\\c.txt', 'c.txt'],
    ['..', 'file'],
    ['.bashrc', 'bashrc'],
    ['new\nline\u0007', 'newline'],
    [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(115)}.jpeg`],
  ])('are called %j → %j', (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });
});

describeWith('bubblewrap', () => {
  it('makes a sandbox anew when the settings have changed, with its files', async () => {
    const home = await newHome();
    const environment = { TERMINAL_ENV: 'bubblewrap' };
    const first = await openGateway({ home, environment });
    const before = await first.sandboxes.lease(await first.session('a'), request);
    await before.exec('mkdir deep; echo mine >deep/note; ln -s deep/note link');
    await before.release();
    await first.drop();
    const second = await started({ ...environment, TERMINAL_CONTAINER_MEMORY: '512' }, home);
    await using after = await second.sandboxes.lease(await second.session('a'), request);
    const result = await after.exec('cat link');
    expect(result.stdout).toBe('mine\n');
    expect(result.notices.join()).toContain('settings have changed');
    expect(after.sandboxId).not.toBe(before.sandboxId);
    expect(await second.world.store.ledger.find(before.sandboxId)).toMatchObject({ state: 'gone' });
  });
});
