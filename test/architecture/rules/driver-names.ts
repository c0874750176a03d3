// No comparison with the name of a backend, platform or provider outside its own folder: what differs between drivers is
// declared as a capability. Seen are `===` and its kin, `switch` cases, membership in a written-out list,
// `includes`, `has`, `startsWith` and the like with a name, and regular expressions made of names alone.
// Not seen: a table keyed by names and indexed by a variable, and a list that is imported from another file.
import type { Node } from 'oxc-parser';
import { memberName, type NodeOf, nodesOf, stringOf, unwrap } from '../ast.ts';
import { namesOf, saysDriver } from '../driver-vocabulary.ts';
import { originOf } from '../origin.ts';
import { type Project, type SourceFile, sourcesOf, type Violation, violationAt } from '../project.ts';
import { bindingOf } from '../scope.ts';

const EQUALITY = ['===', '!==', '==', '!='];
const MEMBERSHIP = ['includes', 'has', 'indexOf'];
const TEXT = ['startsWith', 'endsWith'];
const MATCHING = ['match', 'matchAll', 'search'];
const FOLDERS = ['backends', 'platforms', 'providers'];
/** Here `docker` or `ssh` may be the first word of a command that is being judged. */
const COMMAND_READERS = 'src/risk/';

/** A name, or several, that `against` is compared with. */
interface Comparison {
  readonly names: readonly string[];
  readonly against: Node | undefined;
  readonly node: Node;
}

export function driverNames(project: Project): Violation[] {
  const { certain, ambiguous } = namesOf(project);
  const isForbidden = (file: SourceFile, name: string, against: Node | undefined): boolean => {
    if (FOLDERS.some(folder => file.path.startsWith(`src/${folder}/${name}/`))) return false;
    if (certain.has(name) && !file.path.startsWith(COMMAND_READERS)) return true;
    return (certain.has(name) || ambiguous.has(name)) && against !== undefined && saysDriver(against);
  };
  return sourcesOf(project)
    .filter(file => !file.isGenerated)
    .flatMap(file =>
      comparisonsOf(file).flatMap(({ names, against, node }) => {
        const name = names.find(each => isForbidden(file, each, against));
        return name === undefined ? [] : [violationAt('driver-names', file, node, advice(name))];
      }),
    );
}

function advice(name: string): string {
  return `compares with the name "${name}"; ask for a capability that the driver declares, and add one if it is missing`;
}

function comparisonsOf(file: SourceFile): Comparison[] {
  const binary = nodesOf(file.nodes, 'BinaryExpression')
    .filter(({ operator }) => EQUALITY.includes(operator))
    .flatMap(node => [
      { names: literal(node.right), against: node.left, node },
      { names: literal(node.left), against: node.right, node },
    ]);
  const cases = nodesOf(file.nodes, 'SwitchStatement').flatMap(({ cases, discriminant }) =>
    cases.map(node => ({ names: literal(node.test), against: discriminant, node })),
  );
  const calls = nodesOf(file.nodes, 'CallExpression').flatMap(node => inCall(file, node));
  return [...binary, ...cases, ...calls].filter(({ names }) => names.length > 0);
}

function inCall(file: SourceFile, node: NodeOf<'CallExpression'>): Comparison[] {
  const callee = unwrap(node.callee);
  if (callee.type !== 'MemberExpression') return [];
  const method = memberName(callee) ?? '';
  const [argument] = node.arguments;
  const receiver = callee.object;
  const given = literal(argument);
  if (MEMBERSHIP.includes(method)) {
    return [
      { names: listed(file, receiver), against: argument, node },
      { names: given, against: receiver, node },
    ];
  }
  if (TEXT.includes(method)) return [{ names: given.map(withoutSeparator), against: receiver, node }];
  if (method === 'test' || method === 'exec')
    return [{ names: inPattern(receiver), against: argument, node }];
  return MATCHING.includes(method) ? [{ names: inPattern(argument), against: receiver, node }] : [];
}

function literal(node: Node | null | undefined): string[] {
  const text = node ? stringOf(unwrap(node)) : undefined;
  return text === undefined ? [] : [text];
}

/** The strings of `['a', 'b']`, `new Set(['a', 'b'])`, or a constant of this file that is one of them. */
function listed(file: SourceFile, expression: Node, depth = 0): string[] {
  const node = unwrap(expression);
  if (node.type === 'ArrayExpression') return node.elements.flatMap(element => literal(element));
  // Two constants may be made from each other by mistake; three steps reach a set made from a named list.
  if (depth > 3) return [];
  const isSet = node.type === 'NewExpression' && originOf(file.scopes, node.callee) === 'Set';
  if (isSet && node.arguments[0]) return listed(file, node.arguments[0], depth + 1);
  if (node.type !== 'Identifier') return [];
  const binding = bindingOf(file.scopes, node.name, node);
  return binding?.from && binding.keys.length === 0 ? listed(file, binding.from, depth + 1) : [];
}

/** `docker:` and `docker-` begin with the name; `docker://` and `ssh://` are schemes of addresses. */
function withoutSeparator(text: string): string {
  return text.endsWith('://') ? text : text.replace(/^[-_:/.]|[-_:/.]$/g, '');
}

/** The alternatives of a regular expression that holds nothing but words, such as `/^(?:docker|ssh)$/`. */
function inPattern(node: Node | undefined): string[] {
  if (node?.type !== 'Literal' || !('regex' in node)) return [];
  const words = node.regex.pattern
    .replace(/\\b|\^|\$|\(\?:|[()]/g, '')
    .split('|')
    .map(withoutSeparator);
  return words.every(word => /^[a-z]+$/.test(word)) ? words : [];
}
