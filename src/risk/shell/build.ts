// From a node of the tree to a simple command: words decoded, assignments and redirections read.
import type {
  ArrayValue,
  Assignment,
  Command,
  Redirected,
  Redirection as RedirectionNode,
  Word,
} from 'unbash';
import { type Input, programOf, type Redirection, type SimpleCommand, UNKNOWN } from '../command.ts';
import { locate } from '../paths.ts';
import type { CommandContext, Frame } from './frame.ts';
import { addGap, assign } from './scope.ts';
import type { WordContext } from './word-context.ts';
import { type Decoded, decodeParts, decodeWhole, decodeWord } from './words.ts';

type Source =
  | { readonly type: 'Command'; readonly node: Command }
  | { readonly type: 'Redirected'; readonly node: Redirected };

/** Words and redirections of one command that are looked at; more is a gap. */
export const MAX_WORDS = 1_000;
const MAX_VARIANTS = 64;

/** Several where a word is one of several: `for h in a b; do ssh $h ls; done` is two commands. */
export function buildCommands(
  { type, node }: Source,
  frame: Frame,
  context: CommandContext,
): SimpleCommand[] {
  const assignments = new Map<string, string>();
  const decoded: Decoded[] = [];
  if (type === 'Command') {
    for (const part of node.prefix) {
      if (part.type !== 'Assignment') continue;
      assignments.set(part.name, assignedValue(part, context));
      // Before a command a variable is set for that command alone.
      if (!node.name) keep(part, assignments, frame);
    }
    if (node.name) decoded.push(decodeWord(node.name, context));
    for (const part of node.suffix.slice(0, MAX_WORDS))
      if (part.type === 'Word' || part.type === 'Assignment') decoded.push(argument(part, context, frame));
  }
  const { redirections, input } = read(node.redirects.slice(0, MAX_WORDS), frame, context);
  const parts = 'suffix' in node ? node.suffix.length : node.redirects.length;
  const isTooMuch = parts > MAX_WORDS || decoded.some(({ fields }) => fields.length > MAX_WORDS);
  if (isTooMuch) addGap(frame.walk, 'unresolved.too-deep', frame.source.slice(node.pos, node.pos + 200));
  const stdin = input ?? frame.input;
  return variants(decoded).map(([path = '', ...args]) => ({
    program: programOf(path),
    path,
    args,
    assignments,
    redirections,
    text: textOf(type === 'Redirected' ? node.redirects : undefined, node, frame.source),
    via: frame.via,
    ...(stdin ? { input: stdin } : {}),
    cwd: frame.scope.cwd,
    substituted: context.met.substituted,
    variables: context.met.variables,
  }));
}

/** The first value of each word together, then the second of each, and so on. */
function variants(decoded: readonly Decoded[]): string[][] {
  const count = Math.max(1, ...decoded.map(({ isEither, fields }) => (isEither ? fields.length : 1)));
  return Array.from({ length: Math.min(count, MAX_VARIANTS) }, (_, at) =>
    decoded
      .flatMap(({ isEither, fields }) => (isEither ? [fields[at % fields.length] ?? ''] : fields))
      .slice(0, MAX_WORDS),
  );
}

function textOf(
  redirects: readonly RedirectionNode[] | undefined,
  node: { pos: number; end: number },
  source: string,
): string {
  if (redirects === undefined) return source.slice(node.pos, node.end);
  return source.slice(redirects[0]?.pos ?? node.pos, redirects.at(-1)?.end ?? node.end);
}

function assignedValue({ value, index }: Assignment, context: WordContext): string {
  if (index) decodeWord(index, context);
  return value.type === 'ArrayValue' ? elementsOf(value, context).join(' ') : decodeWhole(value, context);
}

function elementsOf({ elements }: ArrayValue, context: WordContext): string[] {
  return elements.flatMap(element => decodeWord(element, context).fields);
}

function keep(
  { name, append }: Assignment,
  assignments: ReadonlyMap<string, string>,
  { scope }: Frame,
): void {
  const value = assignments.get(name) ?? '';
  assign(scope, name, [append ? `${scope.variables.get(name)?.[0] ?? ''}${value}` : value]);
}

function argument(part: Word | Assignment, context: WordContext, frame: Frame): Decoded {
  if (part.type === 'Word') return decodeWord(part, context);
  const value = assignedValue(part, context);
  assign(frame.scope, part.name, [value]);
  return { fields: [`${part.name}=${value}`], isEither: false };
}

function read(
  nodes: readonly RedirectionNode[],
  frame: Frame,
  context: CommandContext,
): { redirections: Redirection[]; input: Input | undefined } {
  const redirections: Redirection[] = [];
  let input: Input | undefined;
  for (const node of nodes) {
    if (node.type === 'HereDoc') {
      const { text, parts } = node.body;
      input = { sources: [], text: parts && !node.delimiter?.quoted ? decodeParts(parts, context) : text };
      continue;
    }
    const target = node.target ? decodeWhole(node.target, context) : UNKNOWN;
    if (node.type === 'HereString') {
      input = { sources: context.met.substituted, text: target };
      continue;
    }
    const descriptor = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined;
    redirections.push({ operator: node.operator, descriptor, target });
    if (node.operator === '<')
      input = frame.scope.files.get(locate(target, frame.scope.cwd)) ?? { sources: [] };
  }
  return { redirections, input };
}
