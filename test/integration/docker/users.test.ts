// Who commands run as, and what they can write and see.
import { expect, it } from 'vitest';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';
import { execInspect, hostArguments } from './outside.ts';

describeWith('image-bookworm', address => {
  it.each(['1000', '4242:4343', 'nobody'])(
    'has a workspace and a home that the user %s can write',
    async user => {
      await using ground = await DockerGround.make(address());
      const { handle, sandbox } = await ground.open({}, { TERMINAL_DOCKER_USER: user });
      expect(sandbox.workdir).toBe('/workspace');
      const result = await handle.exec('pwd; touch here && echo ok; id -u; stat -c %a:%u /.hermes');
      const [pwd, ok, uid, mode] = result.stdout.trim().split('\n');
      expect([pwd, ok]).toEqual(['/workspace', 'ok']);
      expect(mode).toBe(`700:${uid}`);
      if (user.includes(':'))
        expect((await handle.exec('touch ~/x && echo $HOME')).stdout).toBe('/home/hermes\n');
    },
  );

  it('makes a working folder of its own for the user, and leaves one of the image alone', async () => {
    await using ground = await DockerGround.make(address());
    const own = await ground.open({ cwd: '/srv/new/place' }, { TERMINAL_DOCKER_USER: '1000' });
    expect((await own.handle.exec('pwd; touch x; ls')).stdout).toBe('/srv/new/place\nx\n');
    const given = await ground.open({ cwd: '/usr/share' }, { TERMINAL_DOCKER_USER: '1000' });
    expect((await given.handle.exec('pwd; stat -c %u .')).stdout).toBe('/usr/share\n0\n');
  });

  it('keeps the capabilities that the operator adds, for root', async () => {
    await using ground = await DockerGround.make(address());
    const { handle } = await ground.open({}, { TERMINAL_DOCKER_EXTRA_CAPS: '["CHOWN"]' });
    expect((await handle.exec('touch f && chown 7 f && stat -c %u f')).stdout).toBe('7\n');
  });

  it('passes values to commands that stand in no argument, record or file of the engine', async () => {
    await using ground = await DockerGround.make(address());
    const secret = `s3cret-${ground.installation}`;
    const { handle, sandbox } = await ground.open({ env: { TOKEN: secret } });
    expect((await handle.exec('echo "$TOKEN"')).stdout).toBe(`${secret}\n`);
    expect((await handle.exec('echo "$TOKEN"', { persistent: true })).stdout).toBe(`${secret}\n`);
    const records = JSON.parse(await dockerCommand(address().docker, 'inspect', sandbox.ref.name)) as {
      ExecIDs: string[] | null;
    }[]; // the engine's documented answer
    expect(JSON.stringify(records)).not.toContain(secret);
    for (const id of records[0]?.ExecIDs ?? []) {
      expect(await execInspect(address().docker.socket, id)).not.toContain(secret);
    }
    expect(await hostArguments()).not.toContain(secret);
    expect((await handle.exec('cat /proc/[0-9]*/cmdline | tr "\\0" " "')).stdout).not.toContain(secret);
    expect((await handle.exec('grep -rl "$TOKEN" /.hermes')).stdout).not.toContain('lane');
  });
});

describeWith('image-busybox', address => {
  it('works where there is nothing but bash and busybox', async () => {
    await using ground = await DockerGround.make(address());
    const { handle } = await ground.open({}, { TERMINAL_DOCKER_USER: '4242' });
    expect((await handle.exec('echo hi >f; cat f; id -u')).stdout).toBe('hi\n4242\n');
    expect((await handle.exec('x=1; echo $x', { persistent: true })).stdout).toBe('1\n');
  });
});
