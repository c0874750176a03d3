// Programs that run a command once for many words: xargs, parallel, find -exec, and their like.
import { flagValues, hasFlag, type SimpleCommand, UNKNOWN } from '../command.ts';
import { unescaped } from '../unescape.ts';
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

/** More than these are looked at as one that nobody knows. */
const MAX_ROUNDS = 20;
const MAX_ITEMS = 200;

function byXargs({ args, input, opened }: SimpleCommand): Inner[] {
  let at = 0;
  for (; at < args.length && args[at]?.startsWith('-'); at++) if (XARGS_VALUED.test(args[at] ?? '')) at++;
  const argv = args.slice(at);
  if (argv.length === 0) return [];
  const flags = { args: args.slice(0, at) };
  const mark =
    flagValues(flags, 'I', 'replace')[0] || (hasFlag(flags, 'i', 'I', 'replace') ? '{}' : undefined);
  const items = fed((opened ?? input)?.text, separatorOf(flags, { isMarked: mark !== undefined }));
  const rounds =
    mark === undefined
      ? chunks(items, Number(flagValues(flags, 'n', 'max-args', 'L', 'max-lines')[0])).map(each => [
          ...argv,
          ...each,
        ])
      : items.map(item => argv.map(word => word.replaceAll(mark, () => item)));
  const shown = rounds.length > MAX_ROUNDS ? [...rounds.slice(0, MAX_ROUNDS), [...argv, UNKNOWN]] : rounds;
  return shown.map(each => ({ kind: 'argv', argv: each, via: 'xargs' }));
}

/** What ends an item: a sign of its own, a line, or, undefined, any blank outside of quotes. */
function separatorOf(flags: { args: string[] }, { isMarked }: { isMarked: boolean }): string | undefined {
  const [given] = flagValues(flags, 'd', 'delimiter');
  if (given !== undefined) return unescaped(given);
  if (hasFlag(flags, '0', 'null')) return '\0';
  return isMarked ? '\n' : undefined;
}

function chunks(items: readonly string[], size: number): (readonly string[])[] {
  if (!Number.isInteger(size) || size <= 0) return [items];
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

/** The items that come in; one unknown item when nobody knows them. */
function fed(text: string | undefined, separator?: string): string[] {
  const items =
    separator === undefined
      ? [...(text ?? '').matchAll(/(?:"[^"\n]*"|'[^'\n]*'|\\.|[^\s\0"'\\]|["'\\])+/g)].map(([word]) =>
          word.replace(/"([^"\n]*)"|'([^'\n]*)'|\\(.)/g, '$1$2$3'),
        )
      : (text ?? '').split(separator).map(item => (separator === '\0' ? item : item.trim()));
  const known = items.filter(item => item !== '');
  return known.length > 0 && known.length < MAX_ITEMS ? known : [UNKNOWN];
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
  const texts =
    words.length === 0 ? items : items.slice(0, 20).map(item => filled(words.join(' '), quoted(item)));
  return texts.map(text => ({ kind: 'script', text, via: 'parallel' }));
}

/** Parallel hands on each item as one word. */
function quoted(item: string): string {
  return /[^\w./:=@%+,-]/.test(item) && item !== UNKNOWN ? `'${item.replaceAll("'", "'\\''")}'` : item;
}

function filled(template: string, item: string): string {
  return /\{[^{}]*\}/.test(template) ? template.replace(/\{[./#%]*\}/g, () => item) : `${template} ${item}`;
}

function byFind({ program, args }: SimpleCommand): Inner[] {
  const isFd = program.startsWith('fd');
  const starts = isFd
    ? rest(
        args.slice(
          0,
          Math.max(
            0,
            args.findIndex(arg => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg)),
          ),
        ),
        ['-e', '-t', '-d', '-E', '-S', '--extension', '--type', '--max-depth', '--exclude'],
      ).slice(1)
    : args.slice(
        0,
        args.findIndex(arg => /^[-(!]/.test(arg)),
      );
  const places = (starts.length > 0 ? starts : ['.']).filter(place => !place.startsWith('-'));
  // A pattern for the whole path says nothing about the last name.
  const [name] = flagValues({ args }, 'name', 'iname');
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
