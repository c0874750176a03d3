// How long commands take on the singularity backend, beside `apptainer exec` into the same instance in the same run.
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PARTS } from '../src/backends/singularity/folder.ts';
import { findProgram, programEnvironment } from '../src/backends/singularity/program.ts';
import { findScratch } from '../src/backends/singularity/scratch.ts';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import { readEnvironment } from '../src/config/environment.ts';
import type { SandboxHandle } from '../src/index.ts';
import { bare } from './bare.ts';
import { defineBench, type UseService } from './bench.ts';

/** The ordinary user of the machine in which the test service runs Apptainer. */
const USER = 1000;

export const singularity = defineBench({
  title: 'The singularity backend',
  about: 'A new sandbox has more to create than a bare instance: an overlay, a filter and two lanes.',
  rounds: 15,
  needs: ['apptainer'],
  cases: {
    client: { name: '`apptainer exec instance://… bash -c`' },
    persistent: { name: 'persistent', against: 'client', limit: 0.1 },
    oneShot: { name: 'one-shot', against: 'client', limit: 0.2 },
    clientStart: { name: '`apptainer instance start`, `apptainer exec`' },
    create: { name: 'create to first result', against: 'clientStart', limit: 3 },
  },
  async open(use) {
    const { image, make, apptainerFor, close } = await prepare(use);
    const sandbox = await make();
    const apptainer = apptainerFor(sandbox.ref.name);
    const inside = ['--cleanenv', '--pwd', '/workspace'];
    let last: SandboxHandle | undefined;
    return {
      runs: {
        client: {
          run: () => apptainer('exec', ...inside, `instance://${sandbox.ref.name}`, 'bash', '-c', 'echo hi'),
        },
        persistent: { run: () => sandbox.exec('echo hi', { persistent: true }) },
        oneShot: { run: () => sandbox.exec('echo hi') },
        clientStart: {
          run: async () => {
            const flags = ['--containall', '--no-home', '--writable-tmpfs', '--net', '--network', 'none'];
            await apptainer('instance', 'start', ...flags, image, 'hermes-bench');
            await apptainer('exec', 'instance://hermes-bench', 'bash', '-c', 'echo hi');
          },
          after: () => apptainer('instance', 'stop', '--signal', 'KILL', 'hermes-bench'),
        },
        create: {
          run: async () => {
            last = await make();
            await last.exec('echo hi');
          },
          after: () => last?.destroy(),
        },
      },
      close: async () => {
        await sandbox.destroy();
        await close();
      },
    };
  },
});

async function prepare(use: UseService) {
  const address = await use('apptainer');
  const root = await mkdtemp(join(tmpdir(), 'hb-'));
  await chmod(root, 0o755);
  const [home, scratch] = [join(root, 'home'), join(root, 'scratch')];
  for (const folder of [home, scratch]) await mkdir(folder);
  await chown(scratch, USER, USER);
  const environment = {
    ...{ PATH: `${dirname(address.apptainer)}:${readEnvironment()['PATH'] ?? ''}`, HOME: home },
    ...{ HERMES_HOME: home, TERMINAL_SCRATCH_DIR: scratch, TERMINAL_SINGULARITY_IMAGE: address.sif },
  };
  const config = await loadHermesConfig(environment);
  const { file, path } = findProgram(environment);
  const { top } = findScratch(config.get('terminal.scratch_dir'), { environment, home });
  return {
    image: address.sif,
    make: () => openSandboxWith(config, environment, { backend: 'singularity' }),
    /** The client, with the settings with which the backend made that sandbox. */
    apptainerFor: (name: string) => {
      const configDir = join(top, name, PARTS.engine);
      const variables = Object.entries(programEnvironment(environment, { path, configDir }));
      const pairs = variables.map(([key, value]) => `${key}=${value}`);
      return (...args: string[]) => bare('env', [...pairs, file, '--silent', ...args]);
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}
