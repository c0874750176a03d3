// A gateway that is killed while a command runs in a sandbox of its own; started by connections.test.ts.
import { tmpdir } from 'node:os';
import { createBackend } from '../../../src/backends/ssh/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { openHandle } from './ssh-trial.ts';

const environment = readEnvironment();
const config = await loadHermesConfig({
  ...environment,
  TERMINAL_SSH_HOST: '127.0.0.1',
  TERMINAL_SSH_PORT: environment['HERMES_TEST_SSH_PORT'],
  TERMINAL_SSH_KEY: environment['HERMES_TEST_SSH_KEY'],
});
const backend = createBackend(config, {
  environment,
  cwd: '/',
  tmpDir: tmpdir(),
  home: config.paths.home,
  variable: () => undefined,
  progress: () => undefined,
  clock: systemClock,
});
const handle = await openHandle(backend, { session: 'chat-1' });
await handle.start('sleep 514253003');
await handle.exec('echo up; exec sleep 514253004', {
  onOutput: () => void process.kill(process.pid, 'SIGKILL'),
});
