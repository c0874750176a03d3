// Backups beside a running gateway, and on a machine that has nothing yet.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { callHermes } from '../call-hermes.ts';
import { useGround } from '../gateway-process/ground.ts';
import { runProgram } from '../run-program.ts';
import { request, useGateways } from '../sessions/use-gateways.ts';

const writer = join(import.meta.dirname, '../store/writer.ts');
const ground = useGround();

describe('a running gateway', () => {
  it('is backed up, keeps a restore out, and starts on what was restored', async () => {
    const { home, run, detach } = await ground();
    await run('people', 'allow', 'telegram:1');
    await detach();
    const made = await run('backup', 'create', '--json');
    expect(made.code).toBe(0);
    const { file } = JSON.parse(made.stdout);
    await run('people', 'allow', 'telegram:2');

    const refused = await run('backup', 'restore', file, '--json');
    expect([refused.code, JSON.parse(refused.stderr).error.code]).toEqual([69, 'UNAVAILABLE_GATEWAY']);
    expect(JSON.parse((await run('people', 'list', '--json')).stdout).people).toHaveLength(2);

    await run('gateway', 'stop');
    const restored = await run('backup', 'restore', basename(file));
    expect(restored.code).toBe(0);
    expect(restored.stdout).toMatch(/^Restored .*state\.db/);
    await detach();
    const { people } = JSON.parse((await run('people', 'list', '--json')).stdout);
    expect(people.map(({ userId }: { userId: string }) => userId)).toEqual(['1']);
    expect(readdirSync(home).some(name => name.startsWith('before-restore-'))).toBe(true);
  });
});

describe('a backup', () => {
  it('is of one moment while others write', async () => {
    const { home, run } = await ground();
    const child = spawn(process.execPath, [writer, home, 'pairs', 'w', '3000'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    await within(once(child.stdout, 'data'), 'the writer is ready');
    child.stdin.write('go\n');
    let acknowledged = 0;
    child.stdout.on('data', (piece: Buffer) => {
      acknowledged += piece.toString().split('\n').length - 1;
    });
    await within(once(child.stdout, 'data'), 'the writer has written');
    const made: { file: string; before: number }[] = [];
    for (let round = 0; round < 3; round++) {
      const before = acknowledged;
      const { code, stdout } = await run('backup', 'create', '--json');
      expect(code).toBe(0);
      made.push({ file: JSON.parse(stdout).file, before });
    }
    child.stdin.end();
    await within(ended, 'the writer ends');
    for (const { file, before } of made) {
      expect((await run('backup', 'verify', file)).code).toBe(0);
      const folder = join(home, 'look');
      mkdirSync(folder);
      await runProgram(['tar', '-xzf', file, '-C', folder]);
      const database = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
      const count = (sql: string) => Number(database.prepare(sql).get()?.['n']);
      const pairs = count("select count(*) n from audit where action = 'put'");
      expect(pairs).toBe(count('select count(*) n from sessions'));
      // What was acknowledged before it began is in it.
      expect(pairs).toBeGreaterThanOrEqual(before);
      database.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('exits 1 when it is damaged, and is taken to a new machine when it is not', async () => {
    const { home, run } = await ground();
    await run('people', 'allow', 'telegram:1');
    const { file } = JSON.parse((await run('backup', 'create', '--json', '--with-secrets')).stdout);
    const elsewhere = join(home, 'elsewhere');
    const there = (...words: string[]) => callHermes(words, { env: { HERMES_HOME: elsewhere } });
    expect((await there('backup', 'restore', file)).code).toBe(0);
    expect((await there('people', 'list')).stdout).toContain('telegram:1');
    await runProgram(['truncate', '-s', '-20', file]);
    const { code, stdout } = await run('backup', 'verify', file);
    expect([code, stdout]).toEqual([1, expect.stringContaining('damaged')]);
    expect((await run('backup', 'restore', file)).code).toBe(65);
    expect((await run('backup', 'verify', 'nothing.tar.gz')).code).toBe(74);
  });

  it('works with a configuration that does not', async () => {
    const { home, run } = await ground();
    await run('people', 'allow', 'telegram:1');
    const { file } = JSON.parse((await run('backup', 'create', '--json')).stdout);
    await runProgram(['bash', '-c', `echo '{' > ${join(home, 'config.yaml')}`]);
    expect((await run('people', 'list')).code).toBe(78);
    expect((await run('backup', 'create', '--keep', '1')).stdout).toContain('1 older removed.');
    expect(existsSync(file)).toBe(false);
    expect((await run('backup', 'list')).code).toBe(0);
    expect((await run('backup', 'create', '--keep', '0')).code).toBe(2);
  });
});

describeWith('bubblewrap', () => {
  const gateways = useGateways();

  it('holds the files of sandboxes when asked to, and says which it does not', async () => {
    const gateway = await gateways.started();
    const lease = await gateway.sandboxes.lease(await gateway.session('a'), request);
    await lease.exec('echo kept >file');
    const { sandboxId } = lease;
    await lease[Symbol.asyncDispose]();
    const entry = await gateway.world.store.ledger.find(sandboxId);
    if (entry) await gateway.sandboxes.life.suspend(entry);
    // Its processes are this one's, and would be ended.
    await using busy = await gateway.sandboxes.lease(await gateway.session('b'), request);
    const env = { HERMES_HOME: gateway.home, TERMINAL_ENV: 'bubblewrap' };
    const create = ['backup', 'create', '--with-workspaces', '--json'];
    const { code, stdout, stderr } = await callHermes(create, { env });
    expect([code, stderr]).toEqual([0, '']);
    const { file, contents, left } = JSON.parse(stdout);
    expect([contents.workspaces, left]).toEqual([
      1,
      [{ name: `workspaces/${busy.sandboxId}.tar`, why: expect.stringContaining('belong to the gateway') }],
    ]);
    const shown = await runProgram([
      'bash',
      '-c',
      `tar -xzOf ${file} workspaces/${sandboxId}.tar | tar -xO ./file`,
    ]);
    expect(shown.stdout).toBe('kept\n');
    expect(await gateway.world.store.ledger.find(sandboxId)).toMatchObject({ state: 'suspended' });
  });
});
