// From a node of the tree to a simple command: words decoded, assignments and redirections read.
import type {
  ArrayValue,
  Assignment,
  Command,
  Redirected,
  Redirection as RedirectionNode,
  Word,
} from 'unbash';
import { programOf, type SimpleCommand } from '../command.ts';
import type { CommandContext, Frame } from './frame.ts';
import { isDefaulted } from './parameters.ts';
import { readRedirections } from './redirections.ts';
import { addGap, assign, isUsual, valuesOf } from './scope.ts';
import type { WordContext } from './word-context.ts';
import { type Decoded, decodeWhole, decodeWord } from './words.ts';

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
      const elements = assignedElements(part, context);
      assignments.set(part.name, elements?.join(' ') ?? assignedValue(part, context));
      // Before a command a variable is set for that command alone.
      if (!node.name) keep(part, { assignments, elements }, frame);
    }
    if (node.name) decoded.push(decodeWord(node.name, context));
    if (node.name && (isDefaulted(node.name, context) || isNamedByShell(node.name, frame)))
      addGap(frame.walk, 'unresolved.command-word', frame.source.slice(node.pos, node.end));
    for (const part of node.suffix.slice(0, MAX_WORDS))
      if (part.type === 'Word' || part.type === 'Assignment') decoded.push(argument(part, context, frame));
  }
  const { redirections, input, descriptors } = readRedirections(
    node.redirects.slice(0, MAX_WORDS),
    frame,
    context,
  );
  const parts = 'suffix' in node ? node.suffix.length : node.redirects.length;
  const isTooMuch = parts > MAX_WORDS || decoded.some(({ fields }) => fields.length > MAX_WORDS);
  if (isTooMuch) addGap(frame.walk, 'unresolved.too-deep', frame.source.slice(node.pos, node.pos + 200));
  const stdin = input ?? frame.input ?? frame.scope.descriptors.get(0);
  return variants(decoded).map(([path = '', ...args]) => ({
    program: programOf(path),
    path,
    args,
    assignments,
    redirections,
    text: textOf(type === 'Redirected' ? node.redirects : undefined, node, frame.source),
    via: frame.via,
    ...(stdin ? { input: stdin } : {}),
    ...(descriptors.size > 0 ? { descriptors } : {}),
    ...(frame.outlet === undefined ? {} : { outlet: frame.outlet }),
    cwd: frame.scope.cwd,
    substituted: context.met.substituted,
    variables: context.met.variables,
  }));
}

/** `$USER -rf x`: the last part of the command word is a variable that is known only by habit. */
function isNamedByShell({ pos, end }: Word, { source, scope }: Frame): boolean {
  const word = source.slice(pos, end);
  const last = word.slice(word.lastIndexOf('/') + 1);
  const names = last.includes('$') ? [...last.matchAll(/\$\{?([A-Z]\w*)/g)] : [];
  return names.some(([, name = '']) => name !== 'IFS' && isUsual(scope, name));
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

/** What the whole array holds after `a=(…)` or `a[0]=…`. */
function assignedElements(part: Assignment, context: WordContext): string[] | undefined {
  if (part.value.type === 'ArrayValue') return elementsOf(part.value, context);
  if (!part.index) return undefined;
  const { arrays } = context.scope;
  const place = Number(decodeWhole(part.index, context));
  const elements = [...(arrays.get(part.name) ?? valuesOf(context.scope, part.name)?.slice(0, 1) ?? [])];
  const value = decodeWhole(part.value, context);
  // Of a place that is no number only the order is lost.
  if (!Number.isInteger(place) || place < 0 || place > MAX_WORDS) return [...elements, value];
  for (let at = elements.length; at < place; at++) elements.push('');
  elements[place] = value;
  return elements;
}

function elementsOf({ elements }: ArrayValue, context: WordContext): string[] {
  return elements.flatMap(element => decodeWord(element, context).fields);
}

function keep(
  { name, append }: Assignment,
  {
    assignments,
    elements,
  }: { assignments: ReadonlyMap<string, string>; elements: readonly string[] | undefined },
  { scope }: Frame,
): void {
  const value = assignments.get(name) ?? '';
  const before = append ? scope.arrays.get(name) : undefined;
  const blank = append && elements ? ' ' : '';
  assign(scope, name, [append ? `${valuesOf(scope, name)?.[0] ?? ''}${blank}${value}` : value]);
  // In a branch it may be this or that; then only the texts are known.
  if (elements && scope.branches === 0 && elements.length <= MAX_WORDS && (!append || before))
    scope.arrays.set(name, [...(before ?? []), ...elements]);
}

function argument(part: Word | Assignment, context: WordContext, frame: Frame): Decoded {
  if (part.type === 'Word') return decodeWord(part, context);
  const value = assignedValue(part, context);
  assign(frame.scope, part.name, [value]);
  return { fields: [`${part.name}=${value}`], isEither: false };
}
