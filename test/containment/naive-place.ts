// Commands with a fixed text for their end, as others have had it: the positive control of forged ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Place } from '../../src/containment/probe.ts';
import type { ExecResult, Sandbox } from '../../src/index.ts';

export async function naivePlace(sandbox: Sandbox): Promise<Place> {
  const refuse = (): never => {
    throw new Error('the naive place has commands only');
  };
  return {
    workdir: sandbox.workdir,
    exec: run,
    readFile: refuse,
    writeFile: refuse,
    destroy: async () => undefined,
  };
}

async function run(command: string): Promise<ExecResult> {
  const child = spawn('bash', ['-c', `(${command}); echo HERMES_DONE $?`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
  });
  await once(child, 'close');
  const [stdout = '', rest = ''] = text.split('HERMES_DONE ');
  const bytes = Buffer.from(stdout);
  return {
    outcome: 'exited',
    exitCode: Number.parseInt(rest, 10),
    stdout,
    stderr: '',
    stdoutBytes: bytes,
    stderrBytes: Buffer.alloc(0),
    stdoutTotal: bytes.length,
    stderrTotal: 0,
    truncated: false,
    durationMs: 0,
    leftBehind: [],
    notices: [],
  };
}
