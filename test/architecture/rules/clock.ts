// Time comes from `src/base/clock.ts`, so that a test can pass a clock of its own.
import type { Node } from 'oxc-parser';
import { nodesOf } from '../ast.ts';
import { originOf } from '../origin.ts';
import { type Project, type SourceFile, sourcesOf, type Violation, violationAt } from '../project.ts';

const TIME = [
  'Date.now',
  'performance.now',
  'perf_hooks.performance.now',
  'process.hrtime',
  'setTimeout',
  'setInterval',
  'timers.setTimeout',
  'timers.setInterval',
];

export function clock(project: Project): Violation[] {
  return sourcesOf(project)
    .filter(file => file.path !== 'src/base/clock.ts')
    .flatMap(file => [...dates(file), ...mentions(file)].sort((a, b) => a.line - b.line));
}

function mentions(file: SourceFile): Violation[] {
  return file.mentions
    .filter(({ origin }) => TIME.includes(origin) || /^timers\/promises\.\w+$/.test(origin))
    .map(({ node, origin }) => report(file, node, origin));
}

/** `new Date()` and `Date()` are the present; `new Date(value)` only reads a given time. */
function dates(file: SourceFile): Violation[] {
  return nodesOf(file.nodes, 'NewExpression', 'CallExpression')
    .filter(node => originOf(file.scopes, node.callee) === 'Date')
    .filter(node => node.type === 'CallExpression' || node.arguments.length === 0)
    .map(node => report(file, node, 'the present Date'));
}

function report(file: SourceFile, node: Node, what: string): Violation {
  return violationAt('clock', file, node, `uses ${what}; take a clock from src/base/clock.ts as a parameter`);
}
