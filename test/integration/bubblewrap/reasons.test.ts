// What is said when a sandbox cannot be made, on a machine where the program itself misbehaves.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/base/clock.ts';
import { steeredClock } from '../../fixtures/steered-clock.ts';
import { until } from '../../wait.ts';
import { countHostProcesses, describeGround, makeBackend } from './ground.ts';

describeGround('a bwrap that misbehaves', ground => {
  const backendWith = async (name: string, script: string, clock?: Clock) => {
    const bin = join(ground().home, name);
    await mkdir(bin);
    await chmod(ground().home, 0o755);
    await writeFile(join(bin, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return makeBackend(ground().home, { PATH: `${bin}:/usr/bin:/bin` }, clock);
  };

  it('never answers: the launch ends after its time, and nothing of it is left', async () => {
    // Its child holds all its streams.
    const clock = steeredClock({ longMs: 15_000 });
    const backend = await backendWith('hangs', 'sleep 77009 & wait', clock);
    const check = backend.check();
    await until(async () => (await countHostProcesses('sleep 77009')) > 0, 'bwrap runs');
    clock.passLongTime();
    const [problem] = await check;
    expect(problem?.message).toBe('bwrap did not answer in time');
    expect(await countHostProcesses('sleep 77009')).toBe(0);
    await backend.close();
  });

  it.each([
    ['now and then', 2, []],
    [
      'always',
      9,
      [expect.objectContaining({ message: expect.stringContaining('loopback: Failed RTM_NEWADDR') })],
    ],
  ])(
    'misreads the answer about its loopback device %s: it is started again, three times at most',
    async (name, times, problems) => {
      const count = join(ground().home, `count-${times}`);
      const script = `for word; do [ "$word" = --args ] && { echo x >>${count}; [ "$(wc -l <${count})" -le ${times} ] && { echo "bwrap: loopback: Failed RTM_NEWADDR: No child processes" >&2; exit 1; }; }; done; exec /usr/bin/bwrap "$@"`;
      await writeFile(count, '', { mode: 0o666 });
      await chmod(count, 0o666);
      const backend = await backendWith(name.replaceAll(' ', '-'), script);
      expect(await backend.check()).toEqual(problems);
      expect((await readFile(count, 'utf8')).length).toBe(2 * 3);
      await backend.close();
    },
  );

  it('misreads it when a sandbox is resumed: it is started again as well', async () => {
    const count = join(ground().home, 'count-resumed');
    const script = `for word; do [ "$word" = --args ] && { echo x >>${count}; case $(wc -l <${count}) in 2 | 3) echo "bwrap: loopback: Failed RTM_NEWADDR: No child processes" >&2; exit 1;; esac; }; done; exec /usr/bin/bwrap "$@"`;
    await writeFile(count, '', { mode: 0o666 });
    await chmod(count, 0o666);
    const backend = await backendWith('resumed', script);
    const sandbox = await backend.create({
      ...{ id: 'resumed', installation: 'test', limits: {}, mounts: [], env: {}, persistent: true },
    });
    await sandbox.suspend?.();
    await sandbox.resume?.();
    expect((await readFile(count, 'utf8')).length).toBe(2 * 4);
    await sandbox.destroy();
    await backend.close();
  });

  it('fails for a reason of its own: its words are told, and no container is blamed', async () => {
    const real =
      'for word; do [ "$word" = --args ] && { echo "bwrap: no room" >&2; exit 1; }; done; exec /usr/bin/bwrap "$@"';
    const backend = await backendWith('fails', real);
    expect(await backend.check()).toEqual([
      {
        message: 'bubblewrap cannot make a sandbox here: bwrap: no room',
        fix: expect.stringMatching(/^Mend what it says\./),
      },
    ]);
    await backend.close();
  });
});
