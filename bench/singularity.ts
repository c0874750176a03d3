// How long commands take on the singularity backend, beside `apptainer exec` into the same instance in the same run. Needs
// Apptainer on the path, and in TERMINAL_SINGULARITY_IMAGE an image with bash.
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PARTS } from '../src/backends/singularity/folder.ts';
import { findProgram, programEnvironment } from '../src/backends/singularity/program.ts';
import { findScratch } from '../src/backends/singularity/scratch.ts';
import { loadHermesConfig, openSandboxWith } from '../src/compose.ts';
import type { SandboxHandle } from '../src/index.ts';
import { bare } from './bare.ts';
import type { Bench } from './bench.ts';

const clientExec = 'apptainer exec instance://… bash -c';
const clientStart = 'apptainer instance start, exec';

export const singularity: Bench = {
  doc: 'The singularity backend',
  rounds: 20,
  warmUp: 2,
  async open() {
    const home = await mkdtemp(join(homedir(), '.hermes-bench-'));
    const environment = { ...process.env, HERMES_HOME: home };
    const config = await loadHermesConfig(environment);
    const make = () => openSandboxWith(config, environment, { backend: 'singularity' });
    const sandbox = await make();
    const { file, path } = findProgram(environment);
    const { top } = findScratch(config.get('terminal.scratch_dir'), { environment, home });
    const configDir = join(top, sandbox.ref.name, PARTS.engine);
    const variables = Object.entries(programEnvironment(environment, { path, configDir }));
    const apptainer = (...args: string[]) =>
      bare('env', [...variables.map(([name, value]) => `${name}=${value}`), file, '--silent', ...args]);
    const inside = ['--cleanenv', '--pwd', '/workspace'];
    let last: SandboxHandle | undefined;
    const image = config.get('terminal.singularity_image');
    return {
      cases: [
        {
          name: clientExec,
          run: () => apptainer('exec', ...inside, `instance://${sandbox.ref.name}`, 'bash', '-c', 'echo hi'),
        },
        {
          name: 'persistent',
          run: () => sandbox.exec('echo hi', { persistent: true }),
          against: clientExec,
          limit: { ratio: 0.2 },
        },
        { name: 'one-shot', run: () => sandbox.exec('echo hi'), against: clientExec, limit: { ratio: 0.2 } },
        {
          name: clientStart,
          run: async () => {
            const flags = ['--containall', '--no-home', '--writable-tmpfs', '--net', '--network', 'none'];
            await apptainer('instance', 'start', ...flags, image, 'hermes-bench');
            await apptainer('exec', 'instance://hermes-bench', 'bash', '-c', 'echo hi');
          },
          after: () => apptainer('instance', 'stop', '--signal', 'KILL', 'hermes-bench'),
        },
        {
          name: 'create to first result',
          run: async () => {
            last = await make();
            await last.exec('echo hi');
          },
          after: async () => last?.destroy(),
          against: clientStart,
        },
      ],
      close: async () => {
        await sandbox.destroy();
        await rm(home, { recursive: true, force: true });
      },
    };
  },
};
