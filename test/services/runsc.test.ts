// gVisor as a runtime of Docker, where it can run.
import { expect, it } from 'vitest';
import { dockerCommand } from './docker.ts';
import { describeWith } from './use-service.ts';

describeWith('runsc', address => {
  it('runs a container on a kernel of its own', async () => {
    const { docker, runtime, image } = address();
    const flags = ['--rm', '--network', 'none', '--runtime', runtime];
    expect(await dockerCommand(docker, 'run', ...flags, image, 'cat', '/proc/version')).toContain(
      'Linux version 4.4.0',
    );
  });
});
