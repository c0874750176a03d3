// Runs some of the real tests and writes a report about them, as JSON: `real-part.ts REPORT PROJECT [FILE…]`. The standard
// input is the line to the runner: when it closes, the runner is gone, and this process stops its services and ends.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startVitest, type TestCase, type TestModule } from 'vitest/node';
import { seedReporter } from '../test/random.ts';
import { conformanceSuites, staleCells } from './conformance-suites.ts';

export interface Report {
  /** A paragraph for each file with failures. */
  readonly failures: readonly string[];
  /** What was not run, and why; once for each test. */
  readonly notRun: readonly string[];
  /** Wall-clock seconds by file. */
  readonly seconds: Readonly<Record<string, number>>;
}

const root = join(import.meta.dirname, '..');
const MOST_LINES = 6;
const MOST_CHARACTERS = 800;

function failureOf(module: TestModule): string {
  const tests = [...module.children.allTests('failed')].flatMap(test => [
    `  ${test.fullName}`,
    ...(test.result().errors ?? []).slice(0, 1).map(error => `    ${text(error)}`),
  ]);
  return [fileOf(module), ...tests, ...module.errors().map(error => `  ${text(error)}`)].join('\n');
}

function fileOf(module: TestModule): string {
  return relative(root, module.moduleId);
}

function text(error: unknown): string {
  const said =
    error && typeof error === 'object' && 'message' in error ? String(error.message) : String(error);
  return said.split('\n').slice(0, MOST_LINES).join('\n    ').slice(0, MOST_CHARACTERS);
}

/** What a backend or platform does not claim to have is no gap. */
function isGap(test: TestCase): boolean {
  const { conformance, platformConformance } = test.meta();
  return !(conformance ?? platformConformance)?.notApplicable;
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' && result.note ? result.note : `not run: ${test.fullName}`;
}

if (import.meta.main) {
  const [report = '', project = '', ...files] = process.argv.slice(2);
  // The listeners that the services put there see to the rest.
  process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume();
  const print = (line: string): void => console.log(line);
  const suites = conformanceSuites(print);
  const vitest = await startVitest('test', files, {
    root,
    project: [project],
    run: true,
    reporters: ['default', seedReporter(print), ...suites.map(({ reporter }) => reporter)],
  });
  const modules = vitest.state.getTestModules();
  const failures = modules.filter(module => module.state() === 'failed').map(failureOf);
  const notRun = modules.flatMap(module => [...module.children.allTests('skipped')].filter(isGap));
  const seconds = modules.map(module => [fileOf(module), module.diagnostic().duration / 1000] as const);
  const other = vitest.state.getUnhandledErrors().map(text);
  await vitest.close();
  other.push(...suites.flatMap(staleCells));
  const isSilent = (process.exitCode ?? 0) !== 0 && failures.length + other.length === 0;
  if (isSilent) other.push('see above: the run ended with an error');
  writeFileSync(
    report,
    JSON.stringify({
      failures: [...failures, ...other],
      notRun: notRun.map(reasonOf),
      seconds: Object.fromEntries(seconds),
    } satisfies Report),
  );
  process.exit();
}
