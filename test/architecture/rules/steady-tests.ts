// A test is deterministic: it has one try, no clock on the wall decides it, it does not sleep, and what it draws at random
// can be drawn again.
import type { Node } from 'oxc-parser';
import { nodesOf, propertyName, walk } from '../ast.ts';
import { originOf } from '../origin.ts';
import { type Project, type SourceFile, type Violation, violationAt } from '../project.ts';

/** What tests have in common for it; services start and wait before there is a test. */
const ALLOWED = ['test/wait.ts', 'test/cpu.ts', 'test/random.ts', 'test/seed.ts', 'test/property.ts'];
const FOLDERS = ['test/services/', 'test/doubles/'];

const CLOCKS = ['performance.now', 'perf_hooks.performance.now', 'Date.now', 'process.hrtime.bigint'];
const WORK = ['process.cpuUsage', 'process.threadCpuUsage', 'process.hrtime'];

export function steadyTests(project: Project): Violation[] {
  return project.files
    .filter(({ kind, path }) => kind === 'test' && !ALLOWED.includes(path))
    .filter(({ path }) => !FOLDERS.some(folder => path.startsWith(folder)))
    .flatMap(file =>
      [...secondTries(file), ...durations(file), ...sleeps(file), ...forbidden(file)].sort(
        (a, b) => a.line - b.line,
      ),
    );
}

const report = (file: SourceFile, node: Node, message: string): Violation =>
  violationAt('steady-tests', file, node, message);

/** `retry` among the options of a test, a group or the whole run. */
function secondTries(file: SourceFile): Violation[] {
  return nodesOf(file.nodes, 'Property')
    .filter(({ key, computed }) => propertyName(key, computed) === 'retry')
    .filter(({ value }) => value.type === 'Literal' && typeof value.value === 'number')
    .map(node => report(file, node, 'gives a failed test another try; find out why it fails'));
}

/** A difference of two looks at the clock: how long something took. */
function durations(file: SourceFile): Violation[] {
  return nodesOf(file.nodes, 'BinaryExpression')
    .filter(({ operator, left, right }) => operator === '-' && isLook(file, left) && !isConstant(right))
    .map(node =>
      report(file, node, 'measures the wall clock; assert an order or a count, use test/cpu.ts, or a bench'),
    );
}

function isLook(file: SourceFile, node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const origin = originOf(file.scopes, node.callee) ?? '';
  return CLOCKS.includes(origin) || /\bsystemClock\.monotonic$/.test(origin);
}

/** `Date.now() - DAY` is a time and not how long something took. */
function isConstant(node: Node): boolean {
  return node.type === 'Literal' || (node.type === 'Identifier' && /^[A-Z0-9_]+$/.test(node.name));
}

/** A promise that a timer alone resolves. */
function sleeps(file: SourceFile): Violation[] {
  const promises = nodesOf(file.nodes, 'NewExpression').filter(
    ({ callee }) => originOf(file.scopes, callee) === 'Promise',
  );
  const slept = promises.filter(({ arguments: [executor] }) => {
    if (executor?.type !== 'ArrowFunctionExpression') return false;
    const [resolve] = executor.params;
    return [...walk(executor.body)].some(
      node =>
        node.type === 'CallExpression' &&
        originOf(file.scopes, node.callee) === 'setTimeout' &&
        node.arguments[0]?.type === 'Identifier' &&
        resolve?.type === 'Identifier' &&
        node.arguments[0].name === resolve.name,
    );
  });
  const imported = file.mentions.filter(({ origin }) => origin === 'timers/promises.setTimeout');
  return [...slept, ...imported.map(({ node }) => node)].map(node =>
    report(file, node, 'sleeps; wait for the event with test/wait.ts, or pass a clock'),
  );
}

/** Measuring work, and randomness without the seed. */
function forbidden(file: SourceFile): Violation[] {
  const mentioned = file.mentions.flatMap(({ origin, node }) => {
    if (WORK.includes(origin)) return [report(file, node, `uses ${origin}; compare work with test/cpu.ts`)];
    return origin === 'Math.random' ? [report(file, node, 'is random; draw from test/seed.ts')] : [];
  });
  const imported = file.imports
    .filter(({ specifier }) => specifier === 'fast-check')
    .map(({ node }) => report(file, node, 'has no seed of the run; import test/property.ts instead'));
  return [...mentioned, ...imported];
}
