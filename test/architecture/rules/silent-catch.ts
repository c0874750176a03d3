// Nothing is swallowed: a `catch` handles what it caught or throws it on. A comment is no handling.
import type { Node } from 'oxc-parser';
import { isFunction, memberName, nodesOf, unwrap } from '../ast.ts';
import { type Project, sourcesOf, type Violation, violationAt } from '../project.ts';

const MESSAGE = 'swallows an error; handle a named code, rethrow with `cause`, or hand it to the log';

export function silentCatch(project: Project): Violation[] {
  return sourcesOf(project).flatMap(file => {
    const clauses = nodesOf(file.nodes, 'CatchClause').filter(({ body }) => doesNothing(body));
    const callbacks = nodesOf(file.nodes, 'CallExpression').filter(isSilentCallback);
    return [...clauses, ...callbacks].map(node => violationAt('silent-catch', file, node, MESSAGE));
  });
}

/** `promise.catch(() => {})`, also when it says `undefined`. */
function isSilentCallback(call: Node): boolean {
  if (call.type !== 'CallExpression') return false;
  const callee = unwrap(call.callee);
  if (callee.type !== 'MemberExpression' || memberName(callee) !== 'catch') return false;
  const [handler] = call.arguments;
  return handler !== undefined && isFunction(handler) && handler.body !== null && doesNothing(handler.body);
}

function doesNothing(body: Node): boolean {
  if (body.type === 'BlockStatement')
    return body.body.every(statement => statement.type === 'EmptyStatement');
  return (
    (body.type === 'Identifier' && body.name === 'undefined') ||
    (body.type === 'UnaryExpression' && body.operator === 'void' && body.argument.type === 'Literal')
  );
}
