// A gateway in a process of its own that goes on when the command has ended. What it says until it is ready, or until it
// has failed, is passed on.
import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sleep } from '../../../base/clock.ts';
import { HermesError } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { ensurePrivateDir } from '../../../base/private-files.ts';
import { parseAnswer } from '../../../gateway/process/control-protocol.ts';
import type { CommandContext } from '../../command.ts';
import type { Ready } from './ready.ts';

const LOOK_MS = 20;
const LONGEST_START_MS = 120_000;
const PROGRAM = fileURLToPath(new URL('../../../../bin/hermes.js', import.meta.url));

export interface DetachOptions {
  readonly home: string;
  /** The words after `hermes` that start it in the foreground. */
  readonly words: readonly string[];
}

/** Throws what the gateway ended with, in its own words. */
export async function startDetached({ home, words }: DetachOptions, context: CommandContext): Promise<Ready> {
  const logs = join(home, 'logs');
  await ensurePrivateDir(home);
  await ensurePrivateDir(logs);
  // What it prints when it is ready is for one reader; what it prints when it breaks is kept.
  const said = join(logs, `start-${newId()}`);
  const complaints = join(logs, 'gateway.err');
  const [stdout, stderr] = [await open(said, 'wx', 0o600), await open(complaints, 'w', 0o600)];
  try {
    const child = spawn(process.execPath, [PROGRAM, ...words, '--json'], {
      detached: true,
      stdio: ['ignore', stdout.fd, stderr.fd],
      env: { ...context.environment },
    });
    child.unref();
    const ready = await firstLine(child, said, context);
    for (const line of (await readFile(complaints, 'utf8')).split('\n')) passOn(line, context);
    if (ready !== undefined) return JSON.parse(ready) as Ready; // printed by the same program
    throw new HermesError(
      'UNAVAILABLE_NO_ANSWER',
      `The gateway ended while it was started. ${complaints} and \`hermes gateway logs\` may show why.`,
    );
  } finally {
    await Promise.all([stdout.close(), stderr.close(), rm(said, { force: true })]);
  }
}

/** Undefined when it has ended without one. */
async function firstLine(
  child: ChildProcess,
  path: string,
  { clock, signal }: CommandContext,
): Promise<string | undefined> {
  const giveUpAt = clock.monotonic() + LONGEST_START_MS;
  let failure: Error | undefined;
  child.once('error', error => {
    failure = error;
  });
  for (;;) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null || failure !== undefined;
    const [line, ...more] = (await readFile(path, 'utf8')).split('\n');
    if (more.length > 0) return line;
    if (hasEnded) return undefined;
    if (signal.aborted || clock.monotonic() > giveUpAt) {
      child.kill('SIGTERM');
      throw new HermesError(
        'UNAVAILABLE_NO_ANSWER',
        'The gateway was not ready in time and was asked to end. `hermes gateway logs` may show why.',
      );
    }
    await sleep(clock, LOOK_MS);
  }
}

const complaint = z.union([z.object({ warning: z.string() }), z.object({ error: z.unknown() })]);

/** Warnings are repeated, an error is thrown; what is neither, such as a warning of Node itself, stays in its file. */
function passOn(line: string, { warn }: CommandContext): void {
  if (!line.startsWith('{')) return;
  const parsed = complaint.safeParse(JSON.parse(line));
  if (!parsed.success) return;
  if ('warning' in parsed.data) warn(parsed.data.warning);
  else parseAnswer(line);
}
