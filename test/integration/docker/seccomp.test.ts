// The filter of a sandbox beside that of a plain container, call by call, as the kernel has them.
import { expect, it } from 'vitest';
import { dockerCommand } from '../../services/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { answerOf, filtersOf, type SystemCall } from './filters.ts';
import { DockerGround } from './ground.ts';

/** Each way in which a program can make calls here: 64 bits, x32, 32 bits. */
const WAYS =
  process.arch === 'x64'
    ? [
        { audit: 0xc000003e, offset: 0 },
        { audit: 0xc000003e, offset: 0x40000000 },
        { audit: 0x40000003, offset: 0 },
      ]
    : [{ audit: 0xc00000b7, offset: 0 }];
/** The same everywhere. */
const IO_URING = [425, 426, 427];
const SOCKET = process.arch === 'x64' ? 41 : 198;
const AF_VSOCK = 40;
/** Of clone, personality and socket: what decides there. */
const FIRST_ARGUMENTS = [0, 8, 17, 0x20000, 0x20008, 0x02000000, 0x10000000, 0x40000000, 0xffffffff, 2];

const calls: readonly SystemCall[] = WAYS.flatMap(({ audit, offset }) =>
  Array.from({ length: 600 }, (_, number) => number).flatMap(number =>
    FIRST_ARGUMENTS.map(first => ({ audit, number: number + offset, first })),
  ),
);

describeWith('image-bookworm', address => {
  const docker = (...args: string[]) => dockerCommand(address().docker, ...args);
  const filtersIn = async (name: string): Promise<Buffer[]> =>
    filtersOf(Number(await docker('inspect', '--format', '{{.State.Pid}}', name)));

  it.each([[[]], [['SYS_CHROOT', 'SYS_PTRACE', 'SYS_NICE']]])(
    'is the default profile without io_uring, with the capabilities %j added',
    async caps => {
      await using ground = await DockerGround.make(address());
      const { sandbox } = await ground.open({}, { TERMINAL_DOCKER_EXTRA_CAPS: JSON.stringify(caps) });
      const plain = `plain-${ground.installation}`;
      const rights = ['--cap-drop=ALL', ...caps.map(cap => `--cap-add=${cap}`)];
      await docker('run', '-d', '--network=none', ...rights, '--name', plain, address().image, 'sleep', '60');
      try {
        const [ours, theirs] = [await filtersIn(sandbox.ref.name), await filtersIn(plain)];
        const differing = calls.filter(call => answerOf(ours, call) !== answerOf(theirs, call));
        expect(differing.filter(call => answerOf(ours, call) === 'allow')).toEqual([]);
        // Later engines allow a few calls more, which ours then refuses.
        const isSame = (await docker('info', '--format', '{{.ServerVersion}}')).startsWith('20.10.');
        const others = differing.filter(({ number }) => !IO_URING.includes(number & 0xffff));
        if (isSame) expect(others).toEqual([]);
        for (const number of IO_URING) {
          for (const { audit, offset } of WAYS)
            expect(answerOf(ours, { audit, number: number + offset })).toMatch(/^errno/);
        }
        const vsock = { audit: WAYS[0]?.audit ?? 0, number: SOCKET, first: AF_VSOCK };
        expect(answerOf(ours, vsock)).toMatch(/^errno/);
      } finally {
        await docker('rm', '--force', plain);
      }
    },
  );
});
