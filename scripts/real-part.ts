// Runs projects of the real tests and writes what failed, as JSON: `real-part.ts REPORT PROJECT[,PROJECT] [FILE…]`.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startVitest, type TestModule } from 'vitest/node';

export interface Report {
  readonly failures: readonly Failure[];
  /** Errors that belong to no file, and things left behind. */
  readonly other: readonly string[];
}

export interface Failure {
  readonly file: string;
  readonly lines: readonly string[];
}

const root = join(import.meta.dirname, '..');
const MOST_LINES = 6;
const MOST_CHARACTERS = 800;

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
  return said.split('\n').slice(0, MOST_LINES).join('\n    ').slice(0, MOST_CHARACTERS);
}

if (import.meta.main) {
  const [report = '', projects = '', ...files] = process.argv.slice(2);
  const vitest = await startVitest('test', files, {
    root,
    project: projects.split(','),
    run: true,
    passWithNoTests: true,
  });
  const failures = vitest.state
    .getTestModules()
    .filter(module => module.state() === 'failed')
    .map(failureOf);
  const other = vitest.state.getUnhandledErrors().map(text);
  await vitest.close();
  const isSilent = (process.exitCode ?? 0) !== 0 && failures.length + other.length === 0;
  if (isSilent) other.push('see above: the run ended with an error');
  writeFileSync(report, JSON.stringify({ failures, other } satisfies Report));
  process.exit();
}
