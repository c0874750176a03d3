// The names of the backends, platforms and providers, and how to tell that an expression speaks of one of them.
import type { Node } from 'oxc-parser';
import { memberName, unwrap } from './ast.ts';
import type { Project } from './project.ts';

/** Names that mean nothing else: a comparison with one of them is always about the driver. */
const CERTAIN = [
  ...['docker', 'ssh', 'modal', 'daytona', 'singularity', 'bubblewrap', 'kubernetes'],
  ...['telegram', 'discord', 'slack', 'whatsapp'],
  ...['openai-compatible', 'anthropic'],
];
/** Names that are everyday words as well: it depends on what they are compared with. */
const AMBIGUOUS = ['local', 'signal', 'web', 'console'];
const DRIVER_FOLDER = /^src\/(?:backends|platforms|providers)\/([^/]+)\//;
const DRIVER_WORDS = /^(?:backends?|platforms?|providers?|drivers?)$/i;

/** The names above and those of all driver folders; a folder that is not listed here counts as ambiguous. */
export function namesOf(project: Project): { certain: ReadonlySet<string>; ambiguous: ReadonlySet<string> } {
  const folders = project.files.flatMap(({ path }) => DRIVER_FOLDER.exec(path)?.[1] ?? []);
  const certain = new Set(CERTAIN);
  const ambiguous = new Set([...AMBIGUOUS, ...folders].filter(name => !certain.has(name)));
  return { certain, ambiguous };
}

/** Whether an expression is called after a driver: `backend`, `platformName`, `ref.backend`, or just `name`. */
export function saysDriver(expression: Node): boolean {
  const chain = chainOf(expression);
  if (chain.length === 1 && chain[0] === 'name') return true;
  return chain.flatMap(wordsOf).some(word => DRIVER_WORDS.test(word));
}

/** `['session', 'key', 'platform']` of `session.key.platform`; calls count by what is called. */
function chainOf(expression: Node): string[] {
  const node = unwrap(expression);
  switch (node.type) {
    case 'Identifier':
      return [node.name];
    case 'MemberExpression':
      return [...chainOf(node.object), memberName(node) ?? ''];
    case 'CallExpression':
      return chainOf(node.callee);
    default:
      return [];
  }
}

function wordsOf(name: string): string[] {
  return name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
}
