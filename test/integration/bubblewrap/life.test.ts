// The life of bubblewrap sandboxes on a real machine: restarts, the death of the gateway, and what is left afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ifThere } from '../../../src/base/if-there.ts';
import { countHostProcesses, describeGround, makeBackend } from './ground.ts';

/** Control groups of that name, in every hierarchy. */
async function cgroupsNamed(name: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (dir: string, depth: number): Promise<void> => {
    for (const entry of (await ifThere(readdir(dir, { withFileTypes: true }))) ?? []) {
      if (!entry.isDirectory()) continue;
      if (entry.name === name) found.push(join(dir, name));
      else if (depth > 0) await look(join(dir, entry.name), depth - 1);
    }
  };
  await look('/sys/fs/cgroup', 4);
  return found;
}

describeGround('a sandbox', ground => {
  it('is in order, by a real run', async () => {
    expect(await ground().backend.check()).toEqual([]);
    expect(existsSync(ground().top)).toBe(false);
  });

  it('runs commands, keeps a shell, carries files and ends what takes too long', async () => {
    const { handle, sandbox } = await ground().open({ env: { GREETING: 'hello there' } });
    expect(sandbox.workdir).toBe('/workspace');
    expect(await handle.exec('echo "$GREETING"; pwd; exit 3')).toMatchObject({
      outcome: 'exited',
      exitCode: 3,
      stdout: 'hello there\n/workspace\n',
    });
    await handle.exec('cd /tmp; x=kept', { persistent: true });
    expect((await handle.exec('echo "$PWD $x"', { persistent: true })).stdout).toBe('/tmp kept\n');
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at & 255));
    await handle.writeFile('deep/file', bytes);
    expect(Buffer.from(await handle.readFile('deep/file')).equals(bytes)).toBe(true);
    const marker = '77123.5';
    const late = await handle.exec(`setsid sleep ${marker} & sleep ${marker}`, { timeoutMs: 300 });
    expect(late.outcome).toBe('timed-out');
    expect(await countHostProcesses(`sleep ${marker}`)).toBe(0);
    await handle.destroy();
  });

  it('tells signals from exit codes, and serves more processes than it has pipes for', async () => {
    const sandbox = await ground().create();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const process = await sandbox.spawn(['bash', '-c', at % 2 ? 'kill -9 $$' : `echo ${at}; exit 137`]);
        let output = '';
        process.onOutput((_stream, data) => {
          output += Buffer.from(data).toString();
        });
        return { exit: await process.exit, output };
      }),
    );
    for (const [at, { exit, output }] of outcomes.entries()) {
      expect(exit).toEqual(at % 2 ? { signal: 'SIGKILL' } : { code: 137 });
      expect(output).toBe(at % 2 ? '' : `${at}\n`);
    }
    await expect(sandbox.spawn(['no-such-program'])).rejects.toMatchObject({
      code: 'SANDBOX_PROGRAM_MISSING',
    });
    await sandbox.destroy();
  });

  it('starts nothing over links that code in the sandbox has put where pipes belong', async () => {
    const { handle, sandbox } = await ground().open();
    await handle.exec('true');
    // Both spare sets of pipes are in use now, so the next process gets named ones.
    await handle.exec('cd /run/hermes/io && for n in {1..99}; do ln -s /etc/passwd $n.0; done');
    await expect(sandbox.spawn(['true'])).rejects.toMatchObject({ code: 'SANDBOX_SPAWN_FAILED' });
    await handle.exec('rm /run/hermes/io/*');
    expect(await (await sandbox.spawn(['true'])).exit).toEqual({ code: 0 });
    await handle.destroy();
  });
});

describeGround('a sandbox after a restart', ground => {
  it('finds its files, in new namespaces, and knows nothing of old processes', async () => {
    const first = await ground().open({ limits: { processes: 64 } });
    await first.handle.writeFile('note', 'kept');
    await first.handle.start('sleep 77001');
    // Another gateway takes it over.
    const backend = await makeBackend(ground().home);
    const again = await ground().enter(await backend.attach(first.sandbox.ref));
    expect(await again.run('cat note')).toBe('kept');
    expect(await countHostProcesses('sleep 77001')).toBe(0);
    expect(await again.handle.processes()).toEqual([]);
    await expect(first.handle.exec('true')).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await again.handle.destroy();
    await expect(backend.attach(first.sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await first.handle.destroy();
    await backend.close();
  });

  it('has the state of the persistent shell: folder, variables, functions', async () => {
    const first = await ground().open();
    const persistent = { persistent: true };
    await first.handle.exec(
      'mkdir deep; cd deep; x="kept; so"; export Y=too; f() { echo called; }',
      persistent,
    );
    const backend = await makeBackend(ground().home);
    const look = 'echo "$PWD $x"; env | grep ^Y=; f; x=changed';
    const again = await ground().enter(await backend.attach(first.sandbox.ref));
    const seen = await again.handle.exec(look, persistent);
    expect(seen.stdout).toBe('/workspace/deep kept; so\nY=too\ncalled\n');
    await again.sandbox.suspend?.();
    await again.sandbox.resume?.();
    const third = await ground().enter(again.sandbox);
    expect((await third.handle.exec('echo "$PWD $x"', persistent)).stdout).toBe('/workspace/deep changed\n');
    await third.handle.destroy();
    await backend.close();
  });

  it('comes up whatever was planted in the channel’s folder, and follows no link there', async () => {
    const first = await ground().open();
    const target = join(first.folder, 'home');
    await first.handle.writeFile('/home/hermes/note', 'kept');
    const plant = `cd /run/hermes/channel && ln -s ${target} link && rm -rf ready && echo x >ready`;
    await first.handle.exec(`(${plant}) && exec sleep 0`);
    const backend = await makeBackend(ground().home);
    const again = await ground().enter(await backend.attach(first.sandbox.ref));
    expect(await again.run('ls -I "lane-*" /run/hermes/channel; cat /home/hermes/note')).toBe('ready\nkept');
    await again.handle.destroy();
    await backend.close();
  });

  it('gives the running sandbox to whoever attaches in the same gateway', async () => {
    const { handle, sandbox } = await ground().open();
    await handle.exec('echo here >/tmp/in-memory');
    await handle.detach();
    const again = await ground().enter(await ground().backend.attach(sandbox.ref));
    expect(await again.run('cat /tmp/in-memory')).toBe('here');
    await again.handle.destroy();
  });

  it('refuses a ref that leads elsewhere', async () => {
    const ref = { backend: 'bubblewrap', id: 'x', name: '../../etc', installation: 'test' };
    await expect(ground().backend.attach(ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
  });

  it('dies with its gateway', async () => {
    const gateway = startGateway(ground().home);
    const name = await firstLine(gateway);
    await expect.poll(() => countHostProcesses('sleep 77000.4')).toBe(1);
    gateway.kill('SIGKILL');
    await expect.poll(() => countHostProcesses('sleep 77000.4')).toBe(0);
    const ref = { backend: 'bubblewrap', id: name.slice(7), name, installation: 'test' };
    const again = await ground().enter(await ground().backend.attach(ref));
    expect(await again.run('cat note')).toBe('from the first gateway');
    await again.handle.destroy();
  });
});

describeGround('the end of a sandbox', ground => {
  it('ends all processes when suspended, and has its files when resumed', async () => {
    const { handle, sandbox } = await ground().open();
    await handle.writeFile('note', 'kept');
    await handle.start('sleep 77002');
    await sandbox.suspend?.();
    expect(await countHostProcesses('sleep 77002')).toBe(0);
    await expect(sandbox.spawn(['true'])).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    await sandbox.resume?.();
    const again = await ground().enter(sandbox);
    expect(await again.run('cat note')).toBe('kept');
    await again.handle.destroy();
  });

  it('leaves no process, mount, folder or control group', async () => {
    const { handle, sandbox, folder } = await ground().open({
      limits: { processes: 64, memoryMiB: 256, cpus: 1 },
    });
    await handle.exec('mkdir -p locked/inner; chmod 0 locked; ( setsid sleep 77003 & )');
    const groups = await cgroupsNamed(sandbox.ref.name);
    const strengths = Object.values(sandbox.enforcement);
    expect(groups.length > 0).toBe(strengths[0] === 'enforced');
    await Promise.all([handle.destroy(), sandbox.destroy()]);
    expect(await countHostProcesses('sleep 77003')).toBe(0);
    expect(await countHostProcesses(folder)).toBe(0);
    expect(existsSync(folder)).toBe(false);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(folder);
    expect(await cgroupsNamed(sandbox.ref.name)).toEqual([]);
  });

  it('lists what an installation has, and what was left half made', async () => {
    const sandbox = await ground().create({ installation: 'listed' });
    const refs = await ground().listed('listed');
    expect(refs).toEqual([sandbox.ref]);
    expect(await ground().listed('other')).toEqual([]);
    await sandbox.destroy();
    expect(await ground().listed('listed')).toEqual([]);
  });

  it('says why it cannot: an unpacked root that is not there', async () => {
    const bare = await makeBackend(ground().home, { TERMINAL_BUBBLEWRAP_ROOT: '/no/such/folder' });
    expect((await bare.check())[0]?.message).toContain('terminal.bubblewrap_root');
  });

  it('is finished by whoever attaches, when it was cut short', async () => {
    const { sandbox, folder } = await ground().open({ installation: 'cut' });
    await sandbox.suspend?.();
    // As far as a removal had come when its gateway was killed.
    await rm(join(folder, 'etc'), { recursive: true });
    const backend = await makeBackend(ground().home);
    await expect(backend.attach(sandbox.ref)).rejects.toMatchObject({ code: 'SANDBOX_GONE' });
    expect(existsSync(folder)).toBe(false);
    expect(await ground().listed('cut')).toEqual([]);
    await backend.close();
  });

  it('refuses an id that is taken, and leaves the other alone', async () => {
    const sandbox = await ground().create();
    await expect(ground().create({ id: sandbox.ref.id })).rejects.toMatchObject({
      code: 'SANDBOX_NOT_CREATED',
    });
    expect(await (await ground().enter(sandbox)).run('echo alive')).toBe('alive');
    await sandbox.destroy();
  });

  it('leaves nothing when the making is cancelled', async () => {
    const abort = new AbortController();
    const making = ground().backend.create(
      { id: 'cancelled', installation: 'test', limits: {}, mounts: [], env: {}, persistent: false },
      { signal: abort.signal },
    );
    abort.abort(new Error('no longer wanted'));
    await expect(making).rejects.toThrow('no longer wanted');
    expect(existsSync(join(ground().top, 'hermes-cancelled'))).toBe(false);
  });
});

/** Another gateway: makes a sandbox, writes a file, starts a process, tells the sandbox's name and waits for its end. */
function startGateway(home: string): ChildProcess {
  const ground = new URL('./ground.ts', import.meta.url).href;
  const clock = new URL('../../../src/base/clock.ts', import.meta.url).href;
  const index = new URL('../../../src/index.ts', import.meta.url).href;
  const script = `
    const { makeBackend } = await import(${JSON.stringify(ground)});
    const { systemClock } = await import(${JSON.stringify(clock)});
    const { SandboxHandle } = await import(${JSON.stringify(index)});
    const backend = await makeBackend(${JSON.stringify(home)});
    const sandbox = await backend.create({ id: 'gateway' + process.pid, installation: 'test', limits: {}, mounts: [], env: {}, persistent: true });
    const handle = await SandboxHandle.open({ sandbox, clock: systemClock });
    await handle.writeFile('note', 'from the first gateway');
    await handle.start('exec sleep ' + 77000.4);
    console.log(sandbox.ref.name);
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const piece of child.stdout ?? []) {
    text += String(piece);
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}
