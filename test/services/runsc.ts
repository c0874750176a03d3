// gVisor as a second runtime of our own Docker engine. Optional: not every kernel lets it run.
import { writeFile } from 'node:fs/promises';
import { commandsOf } from './apt.ts';
import { CommandFailed, waitUntil } from './command.ts';
import { type DockerAddress, docker, dockerCommand } from './docker.ts';
import { bookwormImage } from './image.ts';
import { NotAvailable, type Service } from './service.ts';

export interface RunscAddress {
  readonly docker: DockerAddress;
  /** As in `docker run --runtime <runtime>`. */
  readonly runtime: string;
  readonly image: string;
}

const runtime = 'runsc';

export const runsc: Service<RunscAddress> = {
  name: 'runsc',
  async start(context) {
    const engine = await context.need(docker);
    if (!engine.own) throw new NotAvailable('a runtime is added to our own Docker engine only, not to yours');
    const { image } = await context.need(bookwormImage);
    const programs = await commandsOf(context, { runsc: 'runsc' });
    const runtimeArgs = ['--platform=ptrace', '--network=none', '--ignore-cgroups'];
    const config = { runtimes: { [runtime]: { path: programs.runsc, runtimeArgs } } };
    await writeFile(engine.own.configFile, JSON.stringify(config));
    process.kill(engine.own.pid, 'SIGHUP');
    await waitUntil(
      async () => (await dockerCommand(engine, 'info', '--format', '{{json .Runtimes}}')).includes(runtime),
      {
        what: 'the runtime',
        timeoutMs: 60_000,
        signal: context.signal,
      },
    );
    try {
      await dockerCommand(engine, 'run', '--rm', '--network', 'none', '--runtime', runtime, image, 'true');
    } catch (error) {
      if (error instanceof CommandFailed)
        throw new NotAvailable(`no container starts with it: ${error.message}`);
      throw error;
    }
    return { address: { docker: engine, runtime, image }, stop: async () => undefined };
  },
};
