// The tests that use real components: two parts at the same time, each with engines of its own. What failed runs once more,
// alone: a loaded machine can miss a time limit, and a fault fails again. The end of the output says what happened.
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Report } from './real-part.ts';

/** More than this is not a matter of luck. */
const MOST_FILES_TWICE = 12;
const CRASHED: Report = { failures: [], other: ['see above: a part of the run ended without a report'] };

const folder = await mkdtemp(join(tmpdir(), 'hermes-real-'));
/** `node scripts/real.ts test/integration/docker` takes some files. */
const wanted = process.argv.slice(2);

/** With `later` what it prints is shown when it has ended, so that the two do not get mixed up. */
async function run(
  projects: string,
  files: readonly string[],
  { later = false }: { later?: boolean } = {},
): Promise<Report> {
  const report = join(folder, `${projects}-${files.length}.json`);
  const printed = join(folder, `${projects}.log`);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'real-part.ts'), report, projects, ...files],
    { stdio: ['inherit', later ? 'pipe' : 'inherit', later ? 'pipe' : 'inherit'] },
  );
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const pass = (signal: NodeJS.Signals): boolean => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  const log = later ? createWriteStream(printed) : undefined;
  if (log) for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false });
  await new Promise<void>(resolve => child.on('close', () => resolve()));
  for (const signal of signals) process.off(signal, pass);
  if (log) {
    await new Promise<void>(resolve => log.end(resolve));
    await pipeline(createReadStream(printed), process.stdout, { end: false });
  }
  try {
    return JSON.parse(await readFile(report, 'utf8')) as Report; // written by our own part
  } catch {
    return CRASHED;
  }
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}\n${lines.join('\n')}`);
}

const parts = await Promise.all([run('real', wanted), run('conformance', wanted, { later: true })]);
const failures = parts.flatMap(part => part.failures);
const again = failures.map(({ file }) => file);
const isWorthIt = again.length > 0 && again.length <= MOST_FILES_TWICE;
if (isWorthIt) list('▶ once more, alone:', again);
const second = isWorthIt ? await run('real,conformance', again) : { failures, other: [] };

const still = new Set(second.failures.map(({ file }) => file));
const unsteady = failures.filter(({ file }) => !still.has(file));
list(
  'UNSTEADY: failed at first and passed alone',
  unsteady.flatMap(({ lines }) => lines),
);
list(
  'FAILED',
  second.failures.flatMap(({ lines }) => lines),
);
const other = [...new Set([...parts, second].flatMap(part => part.other))];
list('FAILED outside any test', other);
await rm(folder, { recursive: true });
process.exit(still.size + other.length > 0 ? 1 : 0);
