// A second runtime of the engine: gVisor, whose kernel is its own.
import { release } from 'node:os';
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { DockerGround } from './ground.ts';

describeWith('runsc', address => {
  it('runs commands in gVisor where the settings say so', async () => {
    await using ground = await DockerGround.make(address());
    const { handle } = await ground.open({}, { TERMINAL_DOCKER_RUNTIME: address().runtime });
    const kernel = (await handle.exec('uname -r; dmesg | head -1')).stdout;
    expect(kernel).not.toContain(release());
    expect((await handle.exec('exit 3')).exitCode).toBe(3);
    expect((await handle.exec('sleep 60', { timeoutMs: 500 })).outcome).toBe('timed-out');
  });
});
