// The singularity backend: instances of Apptainer or Singularity, without a daemon and without root. They outlive the
// gateway; docs/backends/singularity.md has what they are exposed to.
import { isHermesError } from '../../base/errors.ts';
import type { Backend, DriverContext } from '../backend.ts';
import { checkBackend } from './check.ts';
import { Driver, type SingularitySettings } from './driver.ts';
import { facts } from './facts.ts';
import { type Program, programEnvironment, runProgram, succeeded } from './program.ts';

const VERSION_MS = 10_000;

export function createBackend(settings: SingularitySettings, context: DriverContext): Backend {
  const driver = new Driver(settings, context);
  return {
    name: 'singularity',
    capabilities: facts.capabilities,
    check: (options = {}) => checkBackend(driver, settings, options),
    version: () => versionOf(driver, context),
    create: (spec, options) => driver.create(spec, options),
    attach: (ref, options) => driver.attach(ref, options),
    list: installation => driver.list(installation),
    destroy: ref => driver.destroy(ref),
    close: async () => driver.close(),
  };
}

async function versionOf(driver: Driver, { environment, clock }: DriverContext): Promise<string | undefined> {
  const program = unlessMissing(driver);
  if (!program) return undefined;
  const { file, path } = program;
  const options = { env: programEnvironment(environment, { path }), clock, timeoutMs: VERSION_MS };
  const done = await runProgram([file, '--version'], options);
  return succeeded(done) ? /\d+(\.\d+)+/.exec(done.said)?.[0] : undefined;
}

function unlessMissing(driver: Driver): Program | undefined {
  try {
    return driver.program();
  } catch (error) {
    if (isHermesError(error, 'UNAVAILABLE_BACKEND')) return undefined;
    throw error;
  }
}
