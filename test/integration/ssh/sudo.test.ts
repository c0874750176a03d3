// sudo with a password, on a machine behind ssh with a real sshd and a real sudoers rule: the password reaches sudo and
// nothing else, and everything in the command may use sudo afterwards.
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { type Backend, SandboxHandle } from '../../../src/index.ts';
import { runCommand } from '../../services/command.ts';
import { runVariable } from '../../services/leftovers.ts';
import { needService } from '../../services/use-service.ts';
import { until } from '../../wait.ts';
import { type SshServer, startSshServer } from './ssh-server.ts';
import { processesWith, specOf } from './ssh-trial.ts';

describe('sudo over ssh', () => {
  const ssh = needService('ssh');
  const account = needService('sudoer');
  let server: SshServer;
  let backend: Backend;

  beforeAll(async () => {
    const { user, home } = account();
    await mkdir(join(home, '.ssh'), { mode: 0o755 });
    await writeFile(join(home, '.ssh/authorized_keys'), await readFile(`${ssh().keyFile}.pub`));
    await chown(join(home, '.ssh'), await idOf(user), await idOf(user));
    const run = readEnvironment()[runVariable] ?? '';
    server = await startSshServer({
      config: [
        `Match User ${user}`,
        `AuthorizedKeysFile ${home}/.ssh/authorized_keys`,
        `SetEnv "HOME=${home}" "${runVariable}=${run}"`,
      ],
    });
    backend = await server.backend({ TERMINAL_SSH_USER: user });
  });
  afterAll(async () => {
    await backend.close();
    await server.stop();
  });
  // What sudo remembers of one test is no help to the next.
  beforeEach(async () => {
    await runCommand(['rm', '-rf', `/run/sudo/ts/${account().user}`]);
  });

  const opened = async (password = account().password): Promise<SandboxHandle> =>
    SandboxHandle.open({
      sandbox: await backend.create(specOf()),
      clock: systemClock,
      sudoPassword: () => password,
    });

  it('runs with it in the command, its subshells and the scripts that it starts, with input and output as ever', async () => {
    await using handle = await opened();
    await handle.writeFile('as-root.sh', '#!/bin/sh\nsudo id -un\n');
    const command =
      'sudo id -un; (cd /; sudo id -un); echo "$(sudo id -un)"; sh ./as-root.sh; sudo cat; echo wrong >&2; exit 7';
    expect(await handle.exec(command, { stdin: 'the input' })).toMatchObject({
      ...{ outcome: 'exited', exitCode: 7, stderr: 'wrong\n' },
      stdout: 'root\nroot\nroot\nroot\nthe input',
    });
  });

  it('in the persistent shell and in the background too', async () => {
    await using handle = await opened();
    await handle.exec('mkdir -p sub; cd sub; export KEPT=kept', { persistent: true });
    const apart = await handle.exec('sudo true && echo "$KEPT $PWD"', { persistent: true });
    expect(apart.stdout).toBe(`kept ${account().home}/sub\n`);
    const job = await handle.start('sudo id -un; echo end');
    expect(await job.wait()).toEqual({ state: 'exited', exitCode: 0 });
    expect(new TextDecoder().decode(await job.log())).toBe('root\nend\n');
  });

  it('works where sudo remembers by the parent process', async () => {
    const { user, rulesFile } = account();
    const rules = await readFile(rulesFile);
    await writeFile(rulesFile, `Defaults:${user} timestamp_type=ppid\n${rules}`);
    try {
      await using handle = await opened();
      expect(await handle.exec('sudo id -un')).toMatchObject({ exitCode: 0, stdout: 'root\n' });
    } finally {
      await writeFile(rulesFile, rules);
    }
  });

  it('shows the password to nobody: not in arguments, variables, files, input or output', async () => {
    const { password, home } = account();
    await using handle = await opened();
    const stop = join(home, 'stop');
    const job = await handle.start(`sudo true; until [[ -e ${stop} ]]; do sleep 0.02; done`);
    const running = handle.exec(
      `sudo true; touch ${home}/begun; env; set; cat; until [[ -e ${stop} ]]; do sleep 0.02; done`,
    );
    await until(async () => (await readdir(home)).includes('begun'), 'the command runs');
    const inFiles = await runCommand(
      ['bash', '-c', 'grep -rlF --devices=skip -f - "$1" /dev/shm || :', 'x', home],
      { input: password },
    );
    expect(inFiles.stdout).toBe('');
    for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name)))
      for (const what of ['cmdline', 'environ'])
        expect(await readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => ''), `${pid}`).not.toContain(
          password,
        );
    await writeFile(stop, '');
    const result = await running;
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.stdout + result.stderr).not.toContain(password);
    await job.wait();
    expect(new TextDecoder().decode(await job.log())).toBe('');
  });

  it('runs nothing with a wrong one, and asks nobody', async () => {
    await using handle = await opened('wrong');
    const result = await handle.exec('sudo touch here; touch there; echo ran');
    expect(result).toMatchObject({ exitCode: 126, stdout: '' });
    expect(result.stderr).toContain('sudo did not accept the password that is set; nothing was run.');
    expect(await readdir(account().home)).not.toContain('there');
  });

  it('ends with its command', async () => {
    await using handle = await opened();
    // Its own number: what another run has left behind is none of this one’s.
    const marker = `61425${process.pid}`;
    const tree = `sudo sleep ${marker}1; sudo sleep ${marker}2`;
    expect(await handle.exec(tree, { timeoutMs: 3000 })).toMatchObject({ outcome: 'timed-out' });
    await until(async () => (await processesWith(marker)).length === 0, 'nothing of it runs');
  });
});

async function idOf(user: string): Promise<number> {
  return Number((await runCommand(['id', '-u', user])).stdout);
}
