// What a suspension and a restart of the engine leave of a sandbox: its files and its shell, and no lies.
import { expect, it } from 'vitest';
import type { SandboxHandle } from '../../../src/index.ts';
import { describeWith } from '../../services/use-service.ts';
import { within } from '../../wait.ts';
import { DockerGround } from './ground.ts';
import { restartEngine } from './restart-engine.ts';

const keep = { persistent: true } as const;

async function setUp(handle: SandboxHandle): Promise<void> {
  const script = `mkdir -p deep; cd deep; plain='a  b'; export SHOWN=1; list=(x y); greet() { echo "hi $1"; }; echo kept >file`;
  expect((await handle.exec(script, keep)).exitCode).toBe(0);
}

async function expectKept(handle: SandboxHandle): Promise<void> {
  const script = 'echo "$PWD" "$plain" "$SHOWN" "${list[1]}"; greet you; cat file';
  expect((await handle.exec(script, keep)).stdout).toBe('/workspace/deep a  b 1 y\nhi you\nkept\n');
}

describeWith('docker-loopback', address => {
  it('keeps the persistent shell over a suspension', async () => {
    await using ground = await DockerGround.make(address());
    const { sandbox, handle } = await ground.open();
    await setUp(handle);
    await handle.detach();
    await sandbox.suspend?.();
    await sandbox.resume?.();
    await expectKept(await ground.enter(sandbox));
  });

  it('does not take another process for its shell, which has the number that the shell had before', async () => {
    await using ground = await DockerGround.make(address());
    const { sandbox, handle } = await ground.open();
    await setUp(handle);
    // Process 1 lives in any case.
    const renumber =
      'cd /.hermes/channel/shell; for f in pid keeper; do read -r _ since <$f; echo 1 $since >$f; done';
    expect((await handle.exec(renumber)).exitCode).toBe(0);
    await handle.detach();
    await sandbox.suspend?.();
    await sandbox.resume?.();
    await expectKept(await ground.enter(sandbox));
  });

  it('keeps the persistent shell when it is suspended under its handle, and found by another gateway', async () => {
    await using ground = await DockerGround.make(address());
    const { sandbox, handle } = await ground.open();
    await setUp(handle);
    await sandbox.suspend?.();
    // A shell that is not yet known to be gone takes the command and loses it; else it is refused.
    const ended = await handle.exec('true').then(
      ({ outcome }) => outcome,
      (error: { code: string }) => error.code,
    );
    expect(['SANDBOX_GONE', 'sandbox-lost']).toContain(ended);
    const found = await (await ground.backend()).attach(sandbox.ref);
    await expectKept(await ground.enter(found));
  });

  it('tells sandbox-lost when the engine is restarted, and is found again with files and shell', async () => {
    await using ground = await DockerGround.make(address());
    const backend = await ground.backend();
    const sandbox = await ground.create(backend);
    const handle = await ground.enter(sandbox);
    await setUp(handle);
    const started = Promise.withResolvers<void>();
    const running = handle.exec('echo started; sleep 60', { onOutput: () => started.resolve() });
    await within(started.promise, 'the command to start');
    await restartEngine(address());
    const result = await running;
    expect(result).toMatchObject({ outcome: 'sandbox-lost', stdout: 'started\n' });
    expect(result).not.toHaveProperty('exitCode');
    // The same backend object goes on: what it knew of the engine's connections is no hindrance.
    const found = await backend.attach(sandbox.ref);
    await expectKept(await ground.enter(found));
    const left = await (await ground.enter(found)).exec('ps -o args | grep -c "[s]leep 60"');
    expect(left.stdout).toBe('0\n');
  });
});
