// Goes through a script in the order in which a shell would, and lists every simple command in it, however it is wrapped.
import {
  type Command,
  type CommandNode,
  type CompoundList,
  forEachChild,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Statement,
  type SyntaxNode,
  type While,
} from 'unbash';
import { type SimpleCommand, UNKNOWN } from '../command.ts';
import { isTooMuchInside } from '../limits.ts';
import { QUOTED_CODE } from '../quoted-code.ts';
import { buildCommands } from './build.ts';
import type { CommandContext, Frame } from './frame.ts';
import { outputOf } from './output.ts';
import { perform } from './perform.ts';
import { addGap, assign, childScope } from './scope.ts';
import { decodeWord } from './words.ts';

const MAX_DEPTH = 16;
const MAX_NESTED_CHARACTERS = 4_000;
/** Commands in one pipeline. */
const MAX_STAGES = 50;

/** Walks a text that a shell would run. Returns the commands whose output is that of the text. */
export function walkText(text: string, frame: Frame): SimpleCommand[] {
  const { walk } = frame;
  walk.charactersLeft -= text.length;
  if (frame.depth > MAX_DEPTH || walk.charactersLeft < 0 || (frame.depth > 0 && isTooMuchInside(text))) {
    addGap(walk, 'unresolved.too-deep', text.slice(0, 200));
    return [];
  }
  return walkScript(parse(text), { ...frame, source: text, depth: frame.depth + 1 });
}

function walkScript(script: ParsedScript, frame: Frame): SimpleCommand[] {
  const source = script.source ?? frame.source;
  for (const { pos } of script.errors ?? [])
    addGap(
      frame.walk,
      'unresolved.syntax',
      source.slice(Math.max(0, pos - 20), pos + 40).trim() || source.slice(0, 60),
    );
  return walkStatements(script.commands, { ...frame, source });
}

function walkStatements(statements: readonly Statement[], frame: Frame): SimpleCommand[] {
  return statements.flatMap(({ command }) => walkNode(command, frame));
}

function walkList(list: CompoundList, frame: Frame): SimpleCommand[] {
  return walkStatements(list.commands, frame);
}

function walkNode(node: Statement['command'], frame: Frame): SimpleCommand[] {
  if (frame.walk.commandsLeft <= 0) {
    addGap(frame.walk, 'unresolved.too-deep', frame.source.slice(node.pos, node.pos + 100));
    return [];
  }
  if (node.type === 'AndOr') return node.commands.flatMap(each => walkNode(each, frame));
  if (node.type === 'Pipeline') return walkPipeline(node.commands, frame);
  return walkCommand(node, frame);
}

function walkPipeline(commands: readonly PipelineNode[], frame: Frame): SimpleCommand[] {
  if (commands.length > MAX_STAGES)
    addGap(frame.walk, 'unresolved.too-deep', frame.source.slice(commands[0]?.pos, 100));
  let { input } = frame;
  let last: SimpleCommand[] = [];
  for (const [at, command] of commands.slice(0, MAX_STAGES).entries()) {
    const from = frame.walk.commands.length;
    const scope = commands.length > 1 ? childScope(frame.scope) : frame.scope;
    const next = commands[at + 1];
    const outlet = next ? { outlet: frame.source.slice(next.pos, next.end) } : {};
    last = walkNode(command, { ...frame, scope, ...(input ? { input } : {}), ...outlet });
    const text = textOf(last);
    const before = input?.sources ?? [];
    input = {
      sources: [...before, ...frame.walk.commands.slice(from).flatMap(withOrigins)],
      ...(text === undefined ? {} : { text }),
    };
  }
  return last;
}

/** A command, and those that have made the file it reads. */
function withOrigins(command: SimpleCommand): SimpleCommand[] {
  return [...(command.opened?.sources ?? []), command];
}

/** What they print together, when it is known of each. */
function textOf(commands: readonly SimpleCommand[]): string | undefined {
  const texts = commands.map(outputOf);
  return commands.length > 0 && texts.every(text => text !== undefined) ? texts.join('\n') : undefined;
}

function walkCommand(node: CommandNode, frame: Frame): SimpleCommand[] {
  const { scope } = frame;
  switch (node.type) {
    case 'Command':
      return walkSimple(node, frame);
    case 'Redirected': {
      const [bare] = buildCommands({ type: 'Redirected', node }, frame, contextFor(frame));
      if (bare) perform(bare, frame);
      // They stay open; what reads from one of them later is better known than not.
      for (const [number, each] of bare?.descriptors ?? []) scope.descriptors.set(number, each);
      return walkCommand(node.command, { ...frame, ...(bare?.input ? { input: bare.input } : {}) });
    }
    case 'Subshell':
      return walkList(node.body, { ...frame, scope: childScope(scope) });
    case 'BraceGroup':
      return walkList(node.body, frame);
    case 'If':
      walkList(node.clause, frame);
      return inBranch(frame, () => [
        ...walkList(node.then, frame),
        ...node.elif.flatMap(({ clause, then }) => [...walkList(clause, frame), ...walkList(then, frame)]),
        ...(node.else ? walkList(node.else, frame) : []),
      ]);
    case 'While':
      if (isEndless(node)) addGap(frame.walk, 'processes.fork-bomb', frame.source.slice(node.pos, node.end));
      return inBranch(frame, () => [...walkList(node.clause, frame), ...walkList(node.body, frame)]);
    case 'For':
    case 'Select': {
      const words =
        node.wordlist?.flatMap(word => decodeWord(word, contextFor(frame)).fields) ?? scope.positional;
      assign(scope, node.name.value, words ?? [UNKNOWN]);
      return inBranch(frame, () => walkList(node.body, frame));
    }
    case 'ArithmeticFor':
      return inBranch(frame, () => walkList(node.body, frame));
    case 'Case':
      decodeWord(node.word, contextFor(frame));
      for (const { pattern } of node.items) for (const word of pattern) decodeWord(word, contextFor(frame));
      return inBranch(frame, () => node.items.flatMap(({ body }) => walkList(body, frame)));
    case 'Function':
      return define(node, frame);
    case 'Coproc':
      return node.body.type === 'CompoundList' ? walkList(node.body, frame) : walkCommand(node.body, frame);
    case 'TestCommand':
    case 'ArithmeticCommand':
      walkNested(node, frame.source.slice(node.pos, node.end), frame);
      return [];
  }
}

/** Starts something again and again without ever waiting for it. */
function isEndless({ clause, body }: While): boolean {
  const [first] = clause.commands;
  const isForever =
    clause.commands.length === 1 &&
    first?.command.type === 'Command' &&
    /^(?:true|:)$/.test(first.command.name?.value ?? '');
  const names = body.commands.flatMap(({ command }) =>
    command.type === 'Command' ? [command.name?.value] : [],
  );
  return (
    isForever &&
    body.commands.some(({ background }) => background) &&
    !names.some(name => name === 'wait' || name === 'sleep' || name === 'read')
  );
}

function inBranch<T>({ scope }: Frame, work: () => T): T {
  scope.branches++;
  const result = work();
  scope.branches--;
  return result;
}

/** A function is looked at when it is made, with parameters that nobody knows, and again whenever it is called. */
function define(node: CommandNode & { type: 'Function' }, frame: Frame): SimpleCommand[] {
  const { scope, walk } = frame;
  const name = node.name.value;
  scope.functions.set(name, { node, source: frame.source });
  const from = walk.commands.length;
  const inside = childScope(scope);
  inside.positional = undefined;
  inside.functions.delete(name);
  const { body } = node;
  const within: Frame = { ...frame, scope: inside, via: [...frame.via, 'function'] };
  if (body.type === 'CompoundList') walkList(body, within);
  else walkCommand(body, within);
  const calls = walk.commands.slice(from).filter(({ program }) => program === name);
  if (calls.length > 0 && isSpreading(frame.source.slice(node.pos, node.end))) {
    addGap(walk, 'processes.fork-bomb', frame.source.slice(node.pos, node.end));
  }
  return [];
}

/** It starts itself twice, or in the background. */
function isSpreading(text: string): boolean {
  return /[|&]\s*[^|&;]*&|\|[^|]*&/.test(text);
}

/** Substitutions in places that hold no commands themselves, such as `[[ … ]]`. */
function walkNested(node: SyntaxNode, text: string, frame: Frame): void {
  if (!/[`(]/.test(text.slice(2))) return;
  if (QUOTED_CODE.test(text)) addGap(frame.walk, 'unresolved.quoted-code', text.slice(0, 100));
  // Sums and tests are trees as deep as they are long.
  if (text.length > MAX_NESTED_CHARACTERS) addGap(frame.walk, 'unresolved.too-deep', text.slice(0, 100));
  else walkInside(node, frame);
}

function walkInside(node: SyntaxNode, frame: Frame): void {
  forEachChild(node, child => {
    if (child.type === 'Script') walkScript(child, { ...frame, scope: childScope(frame.scope) });
    else walkInside(child, frame);
  });
}

function walkSimple(node: Command, frame: Frame): SimpleCommand[] {
  const commands = buildCommands({ type: 'Command', node }, frame, contextFor(frame));
  return commands.flatMap(each => perform(each, frame));
}

/** How words are decoded here; nested scripts run in a subshell of this scope. */
function contextFor(frame: Frame): CommandContext {
  const met = { substituted: [] as SimpleCommand[], variables: [] as string[] };
  const nested = (script: ParsedScript): { last: SimpleCommand[]; all: SimpleCommand[] } => {
    const from = frame.walk.commands.length;
    const { input: _, outlet: _next, ...rest } = frame;
    frame.walk.charactersLeft -= script.end - script.pos;
    if (frame.walk.charactersLeft < 0) return { last: [], all: [] };
    const last = walkScript(script, { ...rest, scope: childScope(frame.scope) });
    return { last, all: frame.walk.commands.slice(from) };
  };
  return {
    scope: frame.scope,
    met,
    substitute: script => {
      const { last, all } = nested(script);
      met.substituted.push(...all);
      return textOf(last);
    },
    processFile: (script, operator) => {
      const { last, all } = nested(script);
      if (operator === '<') met.substituted.push(...all);
      const text = textOf(last);
      const path = `/dev/fd/p${frame.scope.files.size}`;
      frame.scope.files.set(path, { sources: all, ...(text === undefined ? {} : { text }) });
      return path;
    },
    nested: part => {
      const from = frame.walk.commands.length;
      walkNested(part, part.text, frame);
      // Inside `${x/…/…}` a slash in a substitution is taken for the next part; so these are read once more.
      if (part.type === 'ParameterExpansion') {
        for (const script of substitutionsIn(part.text))
          frame.run(script, { ...frame, scope: childScope(frame.scope) });
      }
      // `$((a; b))` is a broken sum to one shell and a script to another.
      const text =
        part.type === 'ArithmeticExpansion' ? part.text.slice(3, -2).replace(/\$\([^()]*\)/g, '0') : '';
      if (/;|&&?\s*[a-z]|[\w.]\s+(?:-\S|[/\w.])/.test(text))
        frame.run(text, { ...frame, scope: childScope(frame.scope) });
      met.substituted.push(...frame.walk.commands.slice(from));
    },
    unknownVariable: name => void met.variables.push(name),
  };
}

/** The scripts of `$(…)` in a text, by counting brackets. */
function substitutionsIn(text: string): string[] {
  const found: string[] = [];
  for (let start = text.indexOf('$('); start !== -1; start = text.indexOf('$(', start + 2)) {
    let level = 0;
    for (let at = start + 1; at < text.length; at++) {
      if (text[at] === '(') level++;
      else if (text[at] === ')' && --level === 0) {
        found.push(text.slice(start + 2, at));
        start = at;
        break;
      }
    }
  }
  return found;
}
