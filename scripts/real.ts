// The tests that use real components. What failed runs once more, alone: a loaded machine can miss a time limit, and a fault
// fails again. Either way the end of the output says what happened.
import { join, relative } from 'node:path';
import { startVitest, type TestModule } from 'vitest/node';

/** More than this is not a matter of luck. */
const MOST_FILES_TWICE = 12;

interface Failure {
  readonly file: string;
  readonly lines: readonly string[];
}

interface Run {
  readonly failures: readonly Failure[];
  /** Errors that belong to no file, and things left behind. */
  readonly other: readonly string[];
}

const root = join(import.meta.dirname, '..');

async function run(files: readonly string[]): Promise<Run> {
  process.exitCode = 0;
  const vitest = await startVitest('test', [...files], { root, project: ['real', 'conformance'], run: true });
  const failures = vitest.state
    .getTestModules()
    .filter(module => module.state() === 'failed')
    .map(failureOf);
  const other = vitest.state.getUnhandledErrors().map(text);
  await vitest.close();
  const isSilent = process.exitCode !== 0 && failures.length === 0 && other.length === 0;
  return { failures, other: isSilent ? [...other, 'see above: the run ended with an error'] : other };
}

function failureOf(module: TestModule): Failure {
  const tests = [...module.children.allTests('failed')].flatMap(test => [
    `  ${test.fullName}`,
    ...(test.result().errors ?? []).slice(0, 1).map(error => `    ${text(error)}`),
  ]);
  const file = relative(root, module.moduleId);
  return { file, lines: [file, ...tests, ...module.errors().map(error => `  ${text(error)}`)] };
}

function text(error: unknown): string {
  const said =
    error && typeof error === 'object' && 'message' in error ? String(error.message) : String(error);
  return said.split('\n').slice(0, 6).join('\n    ').slice(0, 800);
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}\n${lines.join('\n')}`);
}

// `node scripts/real.ts test/integration/docker` takes some files.
const first = await run(process.argv.slice(2));
const again = first.failures.map(({ file }) => file);
const isWorthIt = again.length > 0 && again.length <= MOST_FILES_TWICE;
if (isWorthIt) list('▶ once more, alone:', again);
const second = isWorthIt ? await run(again) : first;

const still = new Set(second.failures.map(({ file }) => file));
const unsteady = first.failures.filter(({ file }) => !still.has(file));
list(
  'UNSTEADY: failed at first and passed alone',
  unsteady.flatMap(({ lines }) => lines),
);
list(
  'FAILED',
  second.failures.flatMap(({ lines }) => lines),
);
const other = [...new Set([...first.other, ...second.other])];
list('FAILED outside any test', other);
process.exit(still.size + other.length > 0 ? 1 : 0);
