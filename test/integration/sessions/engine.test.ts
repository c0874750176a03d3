// An engine that is stopped and started under load: sessions recover and say so; nothing is run twice, no file is lost.
import { expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { restartEngine } from '../docker/restart-engine.ts';
import { newHome, openGateway } from './world.ts';

describeWith('docker-loopback', address => {
  it('P9, P10: sessions outlive a restart of the engine', async () => {
    const gateway = await openGateway({
      home: await newHome(),
      environment: {
        TERMINAL_ENV: 'docker',
        DOCKER_HOST: address().docker.host,
        TERMINAL_DOCKER_IMAGE: address().image,
        TERMINAL_CONTAINER_MEMORY: '256',
      },
    });
    try {
      const leases = await Promise.all(
        ['a', 'b', 'c'].map(async chat =>
          gateway.sandboxes.lease(await gateway.session(chat), { purpose: 'r', actor: chat }),
        ),
      );
      const running = leases.map(async lease => {
        await lease.exec('echo begun >>count; echo kept >file');
        const started = Promise.withResolvers<void>();
        const result = lease.exec('echo once >>count; echo started; sleep 60', {
          onOutput: () => started.resolve(),
        });
        await started.promise;
        return { lease, result };
      });
      const begun = await Promise.all(running);
      await restartEngine(address());
      for (const { lease, result } of begun) {
        expect(await result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'started\n' });
        const next = await lease.exec('cat file count');
        expect(next).toMatchObject({ outcome: 'exited', stdout: 'kept\nbegun\nonce\n' });
        expect(next.notices.join()).toContain('with its files');
        await lease.release();
      }
    } finally {
      await gateway.close();
    }
  }, 90_000);
});
