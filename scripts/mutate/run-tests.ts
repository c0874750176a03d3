// Runs the named tests of one file in a scratch copy, by a vitest of their own, and reads what became of each.
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Named, namePattern, projectOf } from '../../test/mutations/mutation.ts';
import type { RunOutcome, TestOutcome } from '../../test/mutations/verdict.ts';

export interface TestRun {
  readonly root: string;
  readonly testFile: string;
  readonly named: Named;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** A run that has services stops them on SIGTERM; what takes longer is killed. */
const STOP_MS = 30_000;
/** Names of the report's statuses; all others mean that the test did not run. */
const RAN = ['passed', 'failed'];

export async function runTests({ root, testFile, named, limitMs, signal }: TestRun): Promise<RunOutcome> {
  const report = join(root, 'mutate-report.json');
  await rm(report, { force: true });
  const child = spawn(
    process.execPath,
    [
      ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', projectOf(testFile), testFile],
      ...['--reporter=json', `--outputFile=${report}`, '-t', namePattern(named)],
    ],
    // A group of its own: Ctrl-C reaches it once, from here, and nothing of it stays.
    { cwd: root, stdio: 'ignore', detached: true },
  );
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
  const given = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const isOver = await Promise.race([ended.then(() => true), aborted(given).then(() => false)]);
  if (!isOver) {
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
  }
  endGroup(child.pid);
  signal.throwIfAborted();
  return isOver ? outcomeOf(await readReport(report)) : { kind: 'hang' };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // errors of kill have a code
  }
}

/** What vitest's reporter `json` writes, as far as it is read here. */
interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly ancestorTitles: readonly string[];
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

async function readReport(path: string): Promise<Report> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Report; // as vitest's reporter wrote it
  } catch (error) {
    const message = `vitest wrote no report (${String(error)})`;
    return { testResults: [{ message, assertionResults: [] }] };
  }
}

function outcomeOf({ testResults }: Report): RunOutcome {
  return {
    kind: 'ended',
    tests: testResults.flatMap(({ assertionResults }) => assertionResults.map(testOutcome)),
    problem: testResults
      .map(({ message }) => message)
      .join('\n')
      .trim(),
  };
}

function testOutcome({
  title,
  ancestorTitles,
  status,
  failureMessages,
}: Report['testResults'][number]['assertionResults'][number]): TestOutcome {
  const isRun = RAN.includes(status);
  return {
    title,
    groups: ancestorTitles,
    status: isRun ? (status as 'passed' | 'failed') : 'not-run', // one of RAN
    messages: failureMessages ?? [],
  };
}
