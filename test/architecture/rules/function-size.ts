// A function fits on a screen or two. The callback of a `describe` is a chapter, not a function, and exempt.
import type { Node } from 'oxc-parser';
import { isFunction, nodesOf, propertyName } from '../ast.ts';
import { lineOf, type Project, type SourceFile, type Violation, violationAt } from '../project.ts';

const MAX_LINES = 80;
const CHAPTERS = ['describe', 'suite'];

export function functionSize(project: Project): Violation[] {
  return project.files.flatMap(file => {
    if (file.isGenerated) return [];
    const functions = nodesOf(
      file.nodes,
      'FunctionDeclaration',
      'FunctionExpression',
      'ArrowFunctionExpression',
    );
    return functions.flatMap(node => tooLong(file, node));
  });
}

function tooLong(file: SourceFile, node: Node): Violation[] {
  const lines = lineOf(file, node.end - 1) - lineOf(file, node.start) + 1;
  if (lines <= MAX_LINES || (file.kind === 'test' && isChapter(node))) return [];
  const message = `${nameOf(node)} has ${lines} lines, ${MAX_LINES} are allowed; give its steps functions of their own`;
  return [violationAt('function-size', file, node, message)];
}

function isChapter(node: Node): boolean {
  const call = node.parent;
  if (call?.type !== 'CallExpression') return false;
  let callee: Node = call.callee;
  while (callee.type !== 'Identifier') {
    if (callee.type === 'MemberExpression') callee = callee.object;
    else if (callee.type === 'CallExpression') callee = callee.callee;
    else return false;
  }
  return CHAPTERS.includes(callee.name);
}

function nameOf(node: Node): string {
  const { parent } = node;
  if (isFunction(node) && node.id) return node.id.name;
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  if (parent && 'key' in parent && 'computed' in parent) {
    return propertyName(parent.key, parent.computed) ?? 'this method';
  }
  return 'this function';
}
