// What a simple command does to the rest of the script, and what it runs in turn.
import { deedsOf } from '../code/calls.ts';
import { type Input, isUnknown, programOf, type SimpleCommand, UNKNOWN } from '../command.ts';
import { readBy } from '../effects/reads.ts';
import { writtenBy } from '../effects/writes.ts';
import { isProvablyHarmless } from '../known/inline.ts';
import { locate } from '../paths.ts';
import type { Given, Inner, Language, Runner } from '../unwrap/inner.ts';
import { languageOf } from '../unwrap/interpreters.ts';
import { innerOf } from '../unwrap/unwrap.ts';
import { MAX_WORDS } from './build.ts';
import { changeScope } from './change-scope.ts';
import { contentOf, rememberFolder } from './fetched.ts';
import type { Frame } from './frame.ts';
import { isDecoder, outputOf } from './output.ts';
import { descriptorOf, fileInput } from './redirections.ts';
import { addGap, assign, childScope, type Scope } from './scope.ts';
import { isFetching, isHarmlessSource } from './sources.ts';

const MAX_VIA = 24;
/** Files among the words of one command that are looked up. */
const MAX_READ = 8;
const COPIERS = new Set(['cp', 'mv', 'install', 'ln', 'link', 'gcp', 'gmv']);
const MAX_CODE_CHARACTERS = 20_000;

/** Lists the command and all that it runs. Returns the commands whose output is its own. */
export function perform(given: SimpleCommand, frame: Frame): SimpleCommand[] {
  const { walk, scope } = frame;
  walk.wordsLeft -= given.args.length;
  if (walk.commandsLeft-- <= 0 || walk.wordsLeft < 0 || given.via.length > MAX_VIA) {
    addGap(walk, 'unresolved.too-deep', given.text);
    return [];
  }
  const command = withInner(withOpened(given, scope), scope);
  walk.commands.push(command);
  changeScope(command, scope);
  if (isUnknownProgram(command)) addGap(walk, 'unresolved.command-word', command.text);
  const alias = scope.aliases.get(command.program);
  if (alias !== undefined && !command.via.includes('alias')) {
    return frame.run([alias, ...command.args].join(' '), { ...frame, via: [...command.via, 'alias'] });
  }
  const called = scope.functions.get(command.program);
  if (called) return callFunction(command, called, frame);
  const written = command.path.includes('/')
    ? contentOf(locate(command.path, command.cwd), scope)
    : undefined;
  if (written)
    runInput(
      written,
      { as: 'shell', given: { zero: command.path, positional: command.args } },
      command,
      frame,
    );
  const inner = command.inner ?? innerOf(command);
  const producers = inner.flatMap(each => follow(each, command, frame));
  for (const path of command.written ?? []) remember(path, command, frame);
  rememberFolder(command, scope);
  return inner.length > 0 && producers.length > 0 ? producers : [command];
}

/** With what it runs, unless its name is one that the script itself has made. */
function withInner(command: SimpleCommand, { aliases, functions }: Scope): SimpleCommand {
  return functions.has(command.program) || aliases.has(command.program)
    ? { ...command, isDefined: true, written: writtenBy(command) }
    : { ...command, inner: innerOf(command), written: writtenBy(command) };
}

/** With what stands in the file that it reads, if the script has written it. */
function withOpened(command: SimpleCommand, { files }: Scope): SimpleCommand {
  if (files.size === 0) return command;
  const opened = readBy(command)
    .slice(0, MAX_READ)
    .map(path => files.get(locate(path, command.cwd)))
    .find(each => each !== undefined);
  return opened ? { ...command, opened } : command;
}

function isUnknownProgram({ program, path }: SimpleCommand): boolean {
  if (isUnknown(program)) return true;
  return /[*?]|\[.+\]/.test(program) || (/[*?]|\[.+\]/.test(path) && path.includes('/'));
}

/** What a later command may run. */
function remember(path: string, command: SimpleCommand, { scope }: Frame): void {
  const { opened, input } = command;
  const text = COPIERS.has(command.program) ? opened?.text : outputOf(command);
  const sources = [...(opened?.sources ?? []), ...(input?.sources ?? []), command];
  scope.files.set(locate(path, command.cwd), { sources, ...(text === undefined ? {} : { text }) });
}

function callFunction(
  command: SimpleCommand,
  {
    node,
    source,
  }: { node: { pos: number; end: number; body: { pos: number; end: number } }; source: string },
  frame: Frame,
): SimpleCommand[] {
  const scope = childScope(frame.scope);
  scope.positional = command.args;
  // A function that calls itself is followed once.
  scope.functions.delete(command.program);
  return frame.run(source.slice(node.body.pos, node.body.end), {
    ...frame,
    scope,
    via: [...command.via, 'function'],
  });
}

function follow(inner: Inner, command: SimpleCommand, frame: Frame): SimpleCommand[] {
  const inside = { ...command, via: [...command.via, inner.via] };
  switch (inner.kind) {
    case 'argv':
      return runWords(inner.argv, inside, frame);
    case 'script':
      return runScript(inner, inside, frame);
    case 'code':
      if (inner.text.replaceAll(UNKNOWN, '').trim() === '')
        return runInput({ sources: command.substituted }, { as: inner.language }, inside, frame);
      return runCode(inner.text, inner.language, inside, frame);
    case 'input':
      return command.input ? runInput(command.input, inner, inside, frame) : [];
    case 'file':
      return runFile(inner, inside, frame);
    case 'gap':
      return gap('unresolved.script', command, frame);
  }
}

function runScript(
  { text, via, given }: Inner & { kind: 'script' },
  command: SimpleCommand,
  frame: Frame,
): SimpleCommand[] {
  const isWholly = text.replaceAll(UNKNOWN, '').trim() === '';
  const { substituted: sources } = command;
  if (isWholly && sources.length > 0 && !sources.some(({ program }) => program === 'cat'))
    return runInput({ sources }, { as: 'shell' }, command, frame);
  if (isWholly) return gap('unresolved.script', command, frame);
  if (sources.some(isDecoder)) deed(['@decoded-code'], command, frame);
  const scope = via === 'eval' ? frame.scope : childScope(frame.scope);
  if (given) Object.assign(scope, given);
  for (const [name, value] of command.assignments) assign(scope, name, [value]);
  const { input, via: whole } = command;
  return frame.run(text, { ...frame, scope, via: whole, ...(input ? { input } : {}) });
}

const ASSIGNED = /^[A-Za-z_]\w*=/;

function assignedIn(word: string): readonly [name: string, value: string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}

function runWords(argv: readonly string[], outer: SimpleCommand, frame: Frame): SimpleCommand[] {
  if (argv.length > MAX_WORDS) addGap(frame.walk, 'unresolved.too-deep', outer.text.slice(0, 200));
  const [path = '', ...args] = argv.slice(0, MAX_WORDS);
  const before = outer.args.slice(0, Math.max(0, outer.args.length - argv.length));
  const given = before.filter(word => word.includes('=') && ASSIGNED.test(word)).map(assignedIn);
  const assignments = given.length === 0 ? outer.assignments : new Map([...outer.assignments, ...given]);
  return perform({ ...outer, program: programOf(path), path, args, assignments }, frame);
}

function runFile(
  { path, as, given }: Inner & { kind: 'file' },
  command: SimpleCommand,
  frame: Frame,
): SimpleCommand[] {
  const how = { as, ...(given ? { given } : {}) };
  const located = locate(path, command.cwd);
  const number = descriptorOf(located);
  if (number === 0) return command.input ? runInput(command.input, how, command, frame) : [];
  if (number !== undefined)
    return runInput(fileInput(located, frame.scope, command.descriptors), how, command, frame);
  const written = contentOf(located, frame.scope);
  if (written) return runInput(written, how, command, frame);
  if (path === UNKNOWN) return gap('unresolved.script', command, frame);
  if (/^https?:\/\//.test(path)) deed(['@remote-code', path], command, frame);
  return [];
}

/** Code that comes from a pipe, a here-document or a file that the script itself has written. */
function runInput(
  { sources, text, isOpaque }: Input,
  { as, given }: { as: Runner; given?: Given },
  command: SimpleCommand,
  frame: Frame,
): SimpleCommand[] {
  const isFetched = sources.some(isFetching);
  if (isFetched) deed(['@remote-code'], command, frame, partOf(sources, command));
  else if (sources.some(isDecoder)) deed(['@decoded-code'], command, frame, partOf(sources, command));
  if (text === undefined || text.replaceAll(UNKNOWN, '').trim() === '') {
    const isKnown = isFetched || (isOpaque !== true && sources.every(isHarmlessSource));
    return isKnown ? [] : gap('unresolved.script', command, frame);
  }
  if (as !== 'shell') return runCode(text, as, command, frame);
  const scope = childScope(frame.scope);
  if (given) Object.assign(scope, given);
  return frame.run(text, { ...withoutInput(frame), scope, via: command.via });
}

/** Where the code comes from and what runs it. */
function partOf(sources: readonly SimpleCommand[], command: SimpleCommand): string {
  const texts = [...new Set([...sources.slice(0, 10), command].map(({ text }) => text.trim()))];
  return texts.filter(text => !texts.some(other => other !== text && other.includes(text))).join(' | ');
}

function runCode(text: string, language: Language, command: SimpleCommand, frame: Frame): SimpleCommand[] {
  const spoken = languageOf(command.program) ?? language;
  if (text.length > MAX_CODE_CHARACTERS) return gap('unresolved.code', command, frame);
  if (!isProvablyHarmless(text, spoken)) gap('unresolved.inline-code', command, frame);
  for (const item of deedsOf(text, spoken)) {
    if (item.kind === 'argv') deed(item.argv, command, frame, text);
    else if (item.kind === 'script')
      frame.run(item.text, { ...withoutInput(frame), scope: childScope(frame.scope), via: command.via });
    else if (item.kind === 'code' && frame.depth < 8)
      runCode(item.text, spoken, command, { ...frame, depth: frame.depth + 1 });
    else gap('unresolved.code', command, frame);
  }
  return [];
}

function withoutInput({ input: _, ...frame }: Frame): Frame {
  return frame;
}

/** A command that stands for what code or a pipe would do. */
function deed(argv: readonly string[], command: SimpleCommand, frame: Frame, text = command.text): void {
  const [path = '', ...args] = argv;
  const { input: _, ...rest } = command;
  perform(
    { ...rest, program: programOf(path), path, args, redirections: [], text: text.trim() || command.text },
    frame,
  );
}

function gap(rule: string, command: SimpleCommand, { walk }: Frame): [] {
  addGap(walk, rule, command.text);
  return [];
}
