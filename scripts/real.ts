// The tests that use real components, in parts that run at the same time, each with services of its own. A failure is a
// failure: nothing runs twice. The end of the output says what failed and what was not run.
// `node scripts/real.ts test/integration/docker` takes some files.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedOfRun } from '../test/random.ts';
import { onceInterrupted } from './interrupts.ts';
import { type Part, partsOf } from './parts.ts';
import type { Report } from './real-part.ts';

const SLOWEST = 15;
const INTERRUPTED = 130;

interface RunningPart {
  readonly child: ChildProcess;
  readonly report: Promise<Report>;
}

/**
 * In a process group of its own, so that Ctrl-C reaches it through us alone. Its output is kept until it has ended; only
 * one part prints as it goes, so that they do not get mixed up.
 */
function start(part: Part, folder: string, shown: 'at once' | 'at the end'): RunningPart {
  const file = join(folder, `${part.name}.json`);
  const log = join(folder, `${part.name}.log`);
  const stdio = shown === 'at once' ? 'inherit' : 'pipe';
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'real-part.ts'), file, part.project, ...part.files],
    {
      stdio: ['pipe', stdio, stdio],
      detached: true,
      env: { ...process.env, ...part.env, HERMES_TEST_WORKERS: String(part.workers) },
    },
  );
  const output = stdio === 'pipe' ? createWriteStream(log) : undefined;
  if (output) for (const stream of [child.stdout, child.stderr]) stream?.pipe(output, { end: false });
  const ended = new Promise<void>((resolve, reject) =>
    child.on('error', reject).on('close', () => resolve()),
  );
  const read = async (): Promise<Report> => {
    await ended;
    if (output) {
      await new Promise<void>(resolve => output.end(resolve));
      process.stdout.write(`\n▶ ${part.name}\n${await readFile(log, 'utf8')}`);
    }
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Report; // written by our own part
    } catch {
      return { failures: [`${part.name}: ended without a report, see above`], notRun: [], seconds: {} };
    }
  };
  return { child, report: read() };
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}\n${lines.join('\n')}`);
}

/** Each once, with how often it was said. */
function counted(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => `${line} (${count} ${count === 1 ? 'test' : 'tests'})`);
}

const folder = await mkdtemp(join(tmpdir(), 'hermes-real-'));
const wanted = process.argv.slice(2);
const parts = partsOf(wanted);
if (parts.length === 0) {
  console.error(`No real test file begins with: ${wanted.join(', ')}`);
  process.exit(2);
}
seedOfRun();
const running = parts.map((part, at) => start(part, folder, at === 0 ? 'at once' : 'at the end'));
let isInterrupted = false;
onceInterrupted(signal => {
  isInterrupted = true;
  console.error(`\n${signal}: stopping the test services; this takes a few seconds.`);
  for (const { child } of running) child.kill(signal);
});
const reports = await Promise.all(running.map(({ report }) => report));
await rm(folder, { recursive: true });
if (isInterrupted) process.exit(INTERRUPTED);

const slowest = reports
  .flatMap(({ seconds }) => Object.entries(seconds))
  .toSorted(([, a], [, b]) => b - a)
  .slice(0, SLOWEST);
list(
  'SLOWEST FILES',
  slowest.map(([file, seconds]) => `${seconds.toFixed(0).padStart(4)} s  ${file}`),
);
const failures = reports.flatMap(report => report.failures);
list('FAILED', failures);
list('NOT RUN', [
  ...counted(reports.flatMap(report => report.notRun)),
  ...parts.flatMap(({ leavesOut = [] }) => leavesOut),
]);
process.exit(failures.length > 0 ? 1 : 0);
