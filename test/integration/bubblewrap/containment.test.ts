// What a sandbox cannot do, tried from inside. Each probe is seen to succeed without the sandbox, so that one which
// cannot fail proves nothing. No probe writes anything.
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { exists } from '../../services/command.ts';
import { PATIENCE_MS } from '../../wait.ts';
import { describeBox, hostPid } from './ground.ts';

const isRoot = process.getuid?.() === 0;

/** Perl calls the kernel by number; `errno` is 0 when the call succeeded. */
const callOf = (number: number, ...args: readonly (number | string)[]): string =>
  `perl -e 'my $r = syscall(${[number, ...args].join(', ')}); print $r == -1 ? $!+0 : 0'`;
const here = (command: string): string => execFileSync('bash', ['-c', command], { encoding: 'utf8' }).trim();
/** In namespaces of a throwaway process, with all rights there. */
const throwaway = (command: string): string =>
  execFileSync('unshare', ['-Urmp', '--fork', '--mount-proc', 'bash', '-c', command], {
    encoding: 'utf8',
  }).trim();

const CALLS = {
  x64: {
    ptrace: 101,
    bpf: 321,
    keyctl: 250,
    io_uring_setup: 425,
    perf: 298,
    userfaultfd: 323,
    readv: 310,
    socket: 41,
  },
  arm64: {
    ptrace: 117,
    bpf: 280,
    keyctl: 219,
    io_uring_setup: 425,
    perf: 241,
    userfaultfd: 282,
    readv: 270,
    socket: 198,
  },
}[process.arch as 'x64' | 'arm64']; // the driver refuses other machines

describeBox('files of the host', (box, ground) => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'canary-'));
    await writeFile(join(dir, 'canary'), 'seen', { mode: 0o644 });
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('are not there: a canary that everybody may read', async () => {
    const read = `cat ${dir}/canary`;
    expect(here(read)).toBe('seen');
    expect((await box().handle.exec(read)).exitCode).toBe(1);
    const { stdout } = await box().handle.exec(
      `cat /proc/1/root${dir}/canary /proc/1/cwd${dir}/canary ../../..${dir}/canary`,
    );
    expect(stdout).toBe('');
  });

  it.each([
    '/etc/shadow',
    '/etc/sudoers',
    '/etc/hostname',
    '/root',
    '/var/lib',
    '/boot',
    '/opt',
    '/srv',
    '/mnt',
    '/sys/kernel',
  ])('are not there: %s', async path => {
    expect((await box().handle.exec(`[ -e ${path} ]`)).exitCode).toBe(1);
  });

  it.skipIf(!isRoot)(
    'are not there: configuration beside programs, also what is put there later',
    async () => {
      const name = `hermes-test-${process.pid}`;
      const folders = ['/usr/local/etc', '/usr/local/src', `/usr/local/${name}`, `/usr/${name}`, '/opt'];
      const before = await Promise.all(folders.map(folder => exists(folder)));
      const made = folders.map(folder => join(folder, `${name}-canary`));
      for (const file of made) await mkdir(dirname(file), { recursive: true });
      for (const file of made) await writeFile(file, 'seen', { mode: 0o644 });
      try {
        const { handle } = await ground().open();
        const later = `/usr/local/${name}-later`;
        await mkdir(later);
        await writeFile(join(later, 'canary'), 'seen');
        const { stdout } = await handle.exec(`cat ${made.join(' ')} ${later}/canary; ls /usr/local`);
        await rm(later, { recursive: true });
        expect(stdout).not.toContain('seen');
        expect(stdout).not.toContain(name);
        expect((await handle.exec('touch /usr/local/x')).exitCode).not.toBe(0);
        await handle.destroy();
      } finally {
        for (const [at, file] of made.entries())
          await rm(before[at] ? file : dirname(file), { recursive: true });
      }
    },
  );

  it('are not named by the command line of the first process', async () => {
    const seen = await box().run("tr '\\0' ' ' </proc/1/cmdline");
    expect(seen).toContain('bwrap');
    expect(seen).not.toContain(box().folder);
    expect(seen.match(/ \/(?!run\/hermes\/|bin\/|usr\/bin\/|dev\/null|proc\/)\S+/g) ?? []).toEqual([]);
  });

  it('cannot be read through a link that the sandbox plants and our file functions follow', async () => {
    await box().run(`ln -s ${dir}/canary planted`);
    await expect(box().handle.readFile('planted')).rejects.toMatchObject({ code: 'SANDBOX_FILE_MISSING' });
  });

  it.each(['/usr/x', '/etc/x', '/x', '/dev/x', '/proc/sys/kernel/x'])('cannot be made: %s', async path => {
    expect((await box().handle.exec(`: >${path}`)).exitCode).not.toBe(0);
  });

  it('have no owner who could be root inside', async () => {
    expect(await box().run('id -u; cat /etc/passwd | wc -l')).toBe('1000\n3');
  });
});

describeBox('the kernel', box => {
  it.each(['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sys/vm/drop_caches'])(
    'has settings that cannot be opened for writing: %s',
    async path => {
      expect((await box().handle.exec(`exec 5>>${path}`)).exitCode).not.toBe(0);
    },
  );

  it.skipIf(!isRoot)('has such settings open for root outside (control: opened, not written)', () => {
    expect(here('exec 5>>/proc/sys/kernel/core_pattern && echo open')).toBe('open');
  });

  it('gives no capability, no new privileges, and filters calls', async () => {
    const status = await box().run('cat /proc/self/status');
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(status).toMatch(`${set}:\t0000000000000000`);
    expect(status).toMatch('NoNewPrivs:\t1');
    expect(status).toMatch('Seccomp:\t2');
  });

  it('makes no further namespaces', async () => {
    expect(here('unshare -Ur true && echo made')).toBe('made');
    for (const flag of ['-U', '-m', '-n', '-p', '-i', '-u', '-C'])
      expect((await box().handle.exec(`unshare ${flag} true`)).exitCode).not.toBe(0);
  });

  it('mounts nothing', async () => {
    expect(throwaway('mount -t tmpfs x /mnt && echo mounted')).toBe('mounted');
    expect((await box().handle.exec('mount -t tmpfs x /tmp')).exitCode).not.toBe(0);
  });
});

describeBox('calls to the kernel', box => {
  it.each([
    ['ptrace', callOf(CALLS.ptrace, 0, 0, 0, 0)],
    ['process_vm_readv', callOf(CALLS.readv, '$$', 0, 0, 0, 0, 0)],
    ['bpf', callOf(CALLS.bpf, 99, 0, 0)],
    ['keyctl', callOf(CALLS.keyctl, 0, -3, 0)],
    ['io_uring_setup', callOf(CALLS.io_uring_setup, 0, 0)],
    ['perf_event_open', callOf(CALLS.perf, 0, 0, 0, 0, 0)],
    ['userfaultfd', callOf(CALLS.userfaultfd, 1)],
  ])('refuses %s, which it takes outside', async (_name, call) => {
    // Outside, arguments without sense are another error than a refusal, or none.
    if (isRoot) expect(here(call)).not.toBe('1');
    expect(await box().run(call)).toBe('1');
  });

  it('has no sockets that pass by the network namespace', async () => {
    const vsock = callOf(CALLS.socket, 40, 1, 0);
    expect(await box().run(vsock)).toBe('97');
    expect(await box().run(callOf(CALLS.socket, 2, 1, 0))).toBe('0');
  });
});

describeBox('processes and devices of the host', box => {
  it('shows no processes of the host and takes no signals for them', async () => {
    const { stdout } = await box().handle.exec('ls -d /proc/[0-9]* | wc -l');
    expect(Number(stdout)).toBeLessThan(30);
    expect((await box().handle.exec(`kill -0 ${process.pid}`)).exitCode).not.toBe(0);
    expect(here(`kill -0 ${process.pid} && echo reached`)).toBe('reached');
  });

  it('has no devices but the harmless ones', async () => {
    const names = await box().run('ls /dev');
    expect(names.split('\n').toSorted()).toEqual([
      'core',
      'fd',
      'full',
      'null',
      'ptmx',
      'pts',
      'random',
      'shm',
      'stderr',
      'stdin',
      'stdout',
      'tty',
      'urandom',
      'zero',
    ]);
    expect((await box().handle.exec('mknod /tmp/sda b 8 0')).exitCode).not.toBe(0);
  });
});

describeBox('the user on the host', (box, ground) => {
  it('is not root, and one of its own when the gateway is root', async () => {
    const marker = `8${Date.now()}`;
    const running = box().handle.exec(`sleep ${marker}`, { timeoutMs: 20_000 });
    const found = await vi.waitFor(() => hostPid(`sleep ${marker}`), { timeout: PATIENCE_MS, interval: 10 });
    const uid = Number(/Uid:\t(\d+)/.exec(readFileSync(`/proc/${found}/status`, 'utf8'))?.[1]);
    expect(uid).not.toBe(0);
    if (isRoot) expect(uid).toBeGreaterThanOrEqual(2_000_000_000);
    else expect(uid).toBe(process.getuid?.());
    await box().run(`kill $(pgrep -f '^sleep ${marker}')`);
    expect((await running).outcome).toBe('signaled');
  });

  it.skipIf(!isRoot)('differs between sandboxes, which cannot reach each other', async () => {
    const other = await ground().open();
    await other.run('echo secret >/workspace/mine; echo secret >/tmp/mine');
    expect(await box().run('ls /workspace /tmp')).not.toContain('mine');
    const uids = [box(), other].map(({ folder }) => here(`stat -c %u ${folder}/workspace`));
    expect(uids[0]).not.toBe(uids[1]);
    await other.handle.destroy();
  });
});

describeBox('the network', box => {
  let server: Server;
  beforeAll(async () => {
    server = createServer(socket => socket.end('reached')).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
  });
  afterAll(() => new Promise(resolve => server.close(resolve)));

  it('has no way to a listener on the host’s loopback', async () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const probe = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    expect((await promisify(execFile)('bash', ['-c', probe])).stdout).toBe('reached');
    expect((await box().handle.exec(probe)).exitCode).not.toBe(0);
  });

  it('has a loopback of its own and nothing else', async () => {
    expect(await box().run("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")).toBe('lo');
  });

  it('has no abstract sockets of the host', async () => {
    const name = `hermes-canary-${process.pid}`;
    const abstract = createServer(socket => socket.end('reached')).listen(`\0${name}`);
    await new Promise(resolve => abstract.once('listening', resolve));
    const seen = `grep -c '@${name}' /proc/net/unix`;
    expect(here(seen)).toBe('1');
    expect((await box().handle.exec(seen)).stdout.trim()).toBe('0');
    await new Promise(resolve => abstract.close(resolve));
  });
});

describeBox('the environment', box => {
  it('holds the basic variables and no others', async () => {
    const names = (await box().run('env')).split('\n').map(line => line.split('=')[0]);
    expect(names.toSorted()).toEqual(
      [
        'HERMES_COMMAND',
        'HOME',
        'LANG',
        'LOGNAME',
        'PATH',
        'PWD',
        'SHELL',
        'SHLVL',
        'TERM',
        'USER',
        '_',
      ].toSorted(),
    );
    for (const path of ['/proc/1/environ', '/proc/2/environ'])
      expect(await box().run(`tr -d '\\0' <${path}`)).not.toContain('HERMES_TEST');
  });

  it('has no descriptors of the gateway', async () => {
    const open = await box().run('ls -l /proc/2/fd /proc/self/fd | grep -c /');
    expect(Number(open)).toBeGreaterThan(0);
    const { stdout } = await box().handle.exec('readlink /proc/[0-9]*/fd/*');
    for (const target of stdout.trim().split('\n'))
      expect(target).toMatch(/^(socket:|pipe:|\/dev\/null|\/run\/hermes\/|\/proc\/|anon_inode:)/);
  });
});
