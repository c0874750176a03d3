// Where the redirections of a command lead: its standard input, and what can be read from its other descriptors.
import type { Redirection as RedirectionNode } from 'unbash';
import { type Input, type Redirection, UNKNOWN } from '../command.ts';
import { locate } from '../paths.ts';
import type { CommandContext, Frame } from './frame.ts';
import { assign, type Scope } from './scope.ts';
import { decodeParts, decodeWhole } from './words.ts';

interface Read {
  readonly redirections: Redirection[];
  readonly input: Input | undefined;
  /** By number, without standard input. */
  readonly descriptors: ReadonlyMap<number, Input>;
}

/** The first number that a shell chooses for `{name}<file`. */
const FIRST_CHOSEN = 10;
/** Opened before, elsewhere. */
const OPAQUE: Input = { sources: [], isOpaque: true };

export function readRedirections(
  nodes: readonly RedirectionNode[],
  frame: Frame,
  context: CommandContext,
): Read {
  const redirections: Redirection[] = [];
  const opened = new Map<number, Input>();
  for (const node of nodes) {
    const descriptor = numberOf(node, frame.scope);
    if (node.type === 'HereDoc') {
      const { text, parts } = node.body;
      const isPlain = !parts || node.delimiter?.quoted === true;
      opened.set(descriptor ?? 0, { sources: [], text: isPlain ? text : decodeParts(parts, context) });
      redirections.push({ operator: node.operator, descriptor, target: '' });
      continue;
    }
    const target = node.target ? decodeWhole(node.target, context) : UNKNOWN;
    if (node.type === 'HereString') {
      opened.set(descriptor ?? 0, { sources: context.met.substituted, text: target });
      redirections.push({ operator: node.operator, descriptor, target: '' });
      continue;
    }
    redirections.push({ operator: node.operator, descriptor, target });
    const input = inputOf(node.operator, target, { opened, frame });
    if (input) opened.set(descriptor ?? 0, input);
  }
  const input = opened.get(0);
  opened.delete(0);
  return { redirections, input, descriptors: opened };
}

function numberOf({ descriptor }: RedirectionNode, scope: Scope): number | undefined {
  if (descriptor === undefined) return undefined;
  if (descriptor.type === 'FileDescriptor') return descriptor.value;
  const chosen = FIRST_CHOSEN + scope.descriptors.size;
  assign(scope, descriptor.name, [String(chosen)]);
  return chosen;
}

function inputOf(
  operator: string,
  target: string,
  { opened, frame }: { opened: ReadonlyMap<number, Input>; frame: Frame },
): Input | undefined {
  if (operator === '<' || operator === '<>')
    return fileInput(locate(target, frame.scope.cwd), frame.scope, opened);
  if (operator !== '<&') return undefined;
  const number = /^(\d+)-?$/.exec(target)?.[1];
  if (number === undefined) return target === '-' ? undefined : OPAQUE;
  if (number === '0') return undefined;
  return opened.get(Number(number)) ?? frame.scope.descriptors.get(Number(number)) ?? OPAQUE;
}

/** A file that the script has written, or one of its descriptors by the name of a file. */
export function fileInput(
  located: string,
  { files, descriptors }: Scope,
  opened: ReadonlyMap<number, Input> = new Map(),
): Input {
  const number = descriptorOf(located);
  if (number !== undefined && number > 0) return opened.get(number) ?? descriptors.get(number) ?? OPAQUE;
  return files.get(located) ?? { sources: [] };
}

/** The number in `/dev/fd/3`, `/proc/self/fd/3` and `/dev/stdin`. */
export function descriptorOf(located: string): number | undefined {
  if (located === '/dev/stdin') return 0;
  const number = /^(?:\/dev|\/proc\/[^/]+)\/fd\/(\d+)$/.exec(located)?.[1];
  return number === undefined ? undefined : Number(number);
}
