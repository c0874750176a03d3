// Programs that run a command once for many words: xargs, parallel, find -exec, and their like.
import { flagValues, type SimpleCommand, UNKNOWN } from '../command.ts';
import type { Inner } from './inner.ts';

const XARGS_VALUED =
  /^-(?:[aEILnPsd]|-(?:arg-file|delimiter|max-args|max-procs|max-lines|max-chars|replace|eof))$/;

export function repeated(command: SimpleCommand): Inner[] {
  switch (command.program) {
    case 'xargs':
    case 'gxargs':
      return byXargs(command);
    case 'parallel':
    case 'rush':
      return byParallel(command);
    case 'find':
    case 'gfind':
    case 'fd':
    case 'fdfind':
      return byFind(command);
    case 'watch':
      return script(command, rest(command.args, ['-n', '-d', '--interval']));
    default:
      return [];
  }
}

function byXargs({ args, input }: SimpleCommand): Inner[] {
  let at = 0;
  for (; at < args.length && args[at]?.startsWith('-'); at++) if (XARGS_VALUED.test(args[at] ?? '')) at++;
  const argv = args.slice(at);
  const items = fed(input?.text);
  if (argv.length === 0) return [];
  const mark =
    flagValues({ args: args.slice(0, at) }, 'I', 'replace')[0] ??
    (args.slice(0, at).includes('-i') ? '{}' : undefined);
  const whole = mark === undefined || mark === '' ? [...argv, ...items] : replaced(argv, mark, items);
  return [{ kind: 'argv', argv: whole, via: 'xargs' }];
}

/** The words that come in; one unknown word when nobody knows them. */
function fed(text: string | undefined): string[] {
  const words = text?.split(/[\s\0]+/).filter(word => word !== '') ?? [];
  return words.length > 0 && words.length < 200
    ? words.map(word => word.replace(/^["']|["']$/g, ''))
    : [UNKNOWN];
}

/** Where the mark is a word of its own, all items stand there; inside a word they are put in one after the other. */
function replaced(argv: readonly string[], mark: string, items: readonly string[]): string[] {
  return argv.flatMap(word =>
    word.includes(mark)
      ? items.map(item => word.replaceAll(mark, () => item)).slice(0, word === mark ? 200 : 1)
      : [word],
  );
}

function byParallel({ args, input }: SimpleCommand): Inner[] {
  const at = args.findIndex(arg => /^:::\+?$/.test(arg));
  const items = at === -1 ? fed(input?.text) : args.slice(at + 1).filter(arg => !/^:::/.test(arg));
  const words = rest(at === -1 ? args : args.slice(0, at), [
    '-j',
    '-n',
    '-N',
    '-a',
    '-I',
    '--jobs',
    '--colsep',
    '-C',
    '--delay',
    '--timeout',
  ]);
  const texts = words.length === 0 ? items : items.slice(0, 20).map(item => filled(words.join(' '), item));
  return texts.map(text => ({ kind: 'script', text, via: 'parallel' }));
}

function filled(template: string, item: string): string {
  return /\{[^{}]*\}/.test(template) ? template.replace(/\{[./#%]*\}/g, () => item) : `${template} ${item}`;
}

function byFind({ program, args }: SimpleCommand): Inner[] {
  const isFd = program.startsWith('fd');
  const starts = isFd
    ? ['.']
    : args.slice(
        0,
        args.findIndex(arg => /^[-(!]/.test(arg)),
      );
  const places = (starts.length > 0 ? starts : ['.']).filter(place => !place.startsWith('-'));
  const [name] = flagValues({ args }, 'name', 'iname', 'path');
  const found = places.map(
    place => `${place.replace(/\/+$/, '')}/${name === undefined ? UNKNOWN : `${UNKNOWN}/${name}`}`,
  );
  const inner: Inner[] = [];
  for (let at = 0; at < args.length; at++) {
    if (!/^(?:-exec(?:dir)?|-ok(?:dir)?|-x|-X|--exec|--exec-batch)$/.test(args[at] ?? '')) continue;
    const tail = args.slice(at + 1);
    const end = tail.findIndex((arg, index) => arg === ';' || (arg === '+' && tail[index - 1] === '{}'));
    const argv = end === -1 ? tail : tail.slice(0, end);
    const words = argv.flatMap(word =>
      word === '{}' ? found : [word.replaceAll('{}', () => found[0] ?? UNKNOWN)],
    );
    inner.push({
      kind: 'argv',
      argv: isFd && !argv.includes('{}') ? [...words, ...found] : words,
      via: `${program} -exec`,
    });
  }
  return inner;
}

function rest(args: readonly string[], valued: readonly string[]): readonly string[] {
  let at = 0;
  for (; at < args.length && args[at]?.startsWith('-'); at++) if (valued.includes(args[at] ?? '')) at++;
  return args.slice(at);
}

function script({ program }: SimpleCommand, words: readonly string[]): Inner[] {
  return words.length > 0 ? [{ kind: 'script', text: words.join(' '), via: program }] : [];
}
