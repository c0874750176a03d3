// What a simple command does to the rest of the script, and what it runs in turn.
import { deedsOf } from '../code/calls.ts';
import { type Input, isUnknown, operands, programOf, type SimpleCommand, UNKNOWN } from '../command.ts';
import { writtenBy } from '../effects/writes.ts';
import { locate } from '../paths.ts';
import type { Inner, Language, Runner } from '../unwrap/inner.ts';
import { languageOf } from '../unwrap/interpreters.ts';
import { innerOf } from '../unwrap/unwrap.ts';
import { MAX_WORDS } from './build.ts';
import type { Frame } from './frame.ts';
import { isDecoder, outputOf } from './output.ts';
import { addGap, assign, childScope } from './scope.ts';

const MAX_VIA = 24;
const MAX_FOLDER_CHARACTERS = 1_024;
const MAX_CODE_CHARACTERS = 20_000;

/** Lists the command and all that it runs. Returns the commands whose output is its own. */
export function perform(command: SimpleCommand, frame: Frame): SimpleCommand[] {
  const { walk, scope } = frame;
  if (walk.commandsLeft-- <= 0 || command.via.length > MAX_VIA) {
    addGap(walk, 'unresolved.too-deep', command.text);
    return [];
  }
  walk.commands.push(command);
  changeScope(command, frame);
  if (isUnknownProgram(command)) addGap(walk, 'unresolved.command-word', command.text);
  const alias = scope.aliases.get(command.program);
  if (alias !== undefined && !command.via.includes('alias')) {
    return frame.run([alias, ...command.args].join(' '), { ...frame, via: [...command.via, 'alias'] });
  }
  const called = scope.functions.get(command.program);
  if (called) return callFunction(command, called, frame);
  const written = scope.files.get(locate(command.path, command.cwd));
  if (written && command.program !== '') runInput(written, 'shell', command, frame);
  const inner = innerOf(command);
  const producers = inner.flatMap(each => follow(each, command, frame));
  for (const path of writtenBy(command)) remember(path, command, frame);
  return inner.length > 0 && producers.length > 0 ? producers : [command];
}

function isUnknownProgram({ program, path }: SimpleCommand): boolean {
  if (isUnknown(program)) return true;
  return /[*?]|\[.+\]/.test(program) || (/[*?]|\[.+\]/.test(path) && path.includes('/'));
}

/** What a later command may run. */
function remember(path: string, command: SimpleCommand, { scope }: Frame): void {
  const text = outputOf(command);
  const sources = [...(command.input?.sources ?? []), command];
  scope.files.set(locate(path, command.cwd), { sources, ...(text === undefined ? {} : { text }) });
}

function changeScope(command: SimpleCommand, { scope }: Frame): void {
  const { program, args } = command;
  if (program === 'cd' || program === 'pushd') {
    const [target = '~'] = operands(command);
    const folder = target === '-' ? UNKNOWN : locate(target, scope.cwd);
    scope.cwd = folder.length > MAX_FOLDER_CHARACTERS ? UNKNOWN : folder;
  } else if (program === 'set') {
    const at = args.indexOf('--');
    if (at !== -1) scope.positional = args.slice(at + 1);
  } else if (program === 'read' || program === 'mapfile' || program === 'readarray') {
    const text = command.input?.text;
    for (const name of operands(command, ['p', 'd', 'n', 'N', 't', 'u', 'i', 'a']))
      assign(scope, name, text === undefined ? [UNKNOWN] : text.split('\n'));
  } else if (program === 'alias') {
    for (const [, name = '', text = ''] of args.map(arg => /^([^=]+)=(.*)$/s.exec(arg) ?? []))
      if (name !== '') scope.aliases.set(name, text);
  } else if (program === 'unset') for (const name of args) scope.variables.delete(name);
  else if (program === 'printf' && args[0] === '-v' && args[1] !== undefined)
    assign(scope, args[1], [outputOf({ ...command, args: args.slice(2) }) ?? UNKNOWN]);
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
  const via = [...command.via, inner.via];
  switch (inner.kind) {
    case 'argv':
      return runWords(inner.argv, { ...command, via }, frame);
    case 'script': {
      const isWholly = inner.text.replaceAll(UNKNOWN, '').trim() === '';
      const { substituted: sources } = command;
      if (isWholly && sources.length > 0 && !sources.some(({ program }) => program === 'cat'))
        return runInput({ sources }, 'shell', { ...command, via }, frame);
      if (isWholly) return gap('unresolved.script', command, frame);
      if (sources.some(isDecoder)) deed(['@decoded-code'], command, frame);
      const scope = inner.via === 'eval' ? frame.scope : childScope(frame.scope);
      if (inner.positional) scope.positional = inner.positional;
      for (const [name, value] of command.assignments) assign(scope, name, [value]);
      return frame.run(inner.text, {
        ...frame,
        scope,
        via,
        ...(command.input ? { input: command.input } : {}),
      });
    }
    case 'code':
      if (inner.text.replaceAll(UNKNOWN, '').trim() === '')
        return runInput({ sources: command.substituted }, inner.language, { ...command, via }, frame);
      return runCode(inner.text, inner.language, { ...command, via }, frame);
    case 'input':
      return command.input ? runInput(command.input, inner.as, { ...command, via }, frame) : [];
    case 'file':
      return runFile(inner.path, inner.as, { ...command, via }, frame);
  }
}

function runWords(argv: readonly string[], outer: SimpleCommand, frame: Frame): SimpleCommand[] {
  if (argv.length > MAX_WORDS) addGap(frame.walk, 'unresolved.too-deep', outer.text.slice(0, 200));
  const [path = '', ...args] = argv.slice(0, MAX_WORDS);
  const given = outer.args
    .slice(0, Math.max(0, outer.args.length - argv.length))
    .flatMap(word =>
      /^[A-Za-z_]\w*=/.test(word)
        ? [[word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const]
        : [],
    );
  const assignments = given.length === 0 ? outer.assignments : new Map([...outer.assignments, ...given]);
  return perform({ ...outer, program: programOf(path), path, args, assignments }, frame);
}

function runFile(path: string, as: Runner, command: SimpleCommand, frame: Frame): SimpleCommand[] {
  const written = frame.scope.files.get(locate(path, command.cwd));
  if (written) return runInput(written, as, command, frame);
  if (path === UNKNOWN) return gap('unresolved.script', command, frame);
  if (/^https?:\/\//.test(path)) deed(['@remote-code', path], command, frame);
  return [];
}

const DOWNLOADERS = new Set([
  'curl',
  'wget',
  'wget2',
  'fetch',
  'aria2c',
  'axel',
  'http',
  'https',
  'xh',
  'lynx',
  'w3m',
  'links',
  'nc',
  'ncat',
  'netcat',
  'ftp',
  'lftp',
  'tftp',
  'ssh',
  'dig',
  'nslookup',
  'socat',
  'telnet',
  'scp',
  'rsync',
  'sftp',
  'GET',
  'lwp-request',
  'iwr',
  'Invoke-WebRequest',
  'gsutil',
  'aws',
]);
/** Programs that print shell code about themselves, made to be evaluated. */
const SETTERS =
  /^(?:ssh-agent|gpg-agent|direnv|pyenv|rbenv|nodenv|goenv|jenv|asdf|mise|brew|starship|zoxide|fnm|thefuck|kubectl|helm|gh|conda|mamba|micromamba|dircolors|opam|minikube|docker-machine|rustup|resize|register-python-argcomplete|atuin|oh-my-posh|k3d|kind|flux|argocd|aws-vault|luarocks|lesspipe|mcfly|hermes|keychain|tput|stty|locale|getopt|xdg-user-dir)$/;

/** Code that comes from a pipe, a here-document or a file that the script itself has written. */
function runInput(
  { sources, text }: Input,
  as: Runner,
  command: SimpleCommand,
  frame: Frame,
): SimpleCommand[] {
  const isFetched = sources.some(({ program }) => DOWNLOADERS.has(program));
  if (isFetched) deed(['@remote-code'], command, frame, partOf(sources, command));
  else if (sources.some(isDecoder)) deed(['@decoded-code'], command, frame, partOf(sources, command));
  if (text === undefined || text.replaceAll(UNKNOWN, '').trim() === '') {
    return isFetched || isHarmlessSource(sources) ? [] : gap('unresolved.script', command, frame);
  }
  if (as !== 'shell') return runCode(text, as, command, frame);
  return frame.run(text, { ...withoutInput(frame), scope: childScope(frame.scope), via: command.via });
}

/** Where the code comes from and what runs it. */
function partOf(sources: readonly SimpleCommand[], command: SimpleCommand): string {
  const texts = [...new Set([...sources.slice(0, 10), command].map(({ text }) => text.trim()))];
  return texts.filter(text => !texts.some(other => other !== text && other.includes(text))).join(' | ');
}

/** A file that is printed and run is the same as a file that is run. */
function isHarmlessSource(sources: readonly SimpleCommand[]): boolean {
  return sources.every(
    ({ program, args }) =>
      program === 'cat' || program === '' || SETTERS.test(program) || /^completions?$/.test(args[0] ?? ''),
  );
}

function runCode(text: string, language: Language, command: SimpleCommand, frame: Frame): SimpleCommand[] {
  const spoken = languageOf(command.program) ?? language;
  if (text.length > MAX_CODE_CHARACTERS) return gap('unresolved.code', command, frame);
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
