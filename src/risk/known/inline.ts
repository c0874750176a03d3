// Code that stands in a command itself: whether every name in it is known to be harmless. What it opens and runs by a literal
// is told to the rules as the command that does the same; everything else that could reach out makes it unprovable. Pure.

import { type Skeleton, skeletonOf } from '../code/skeleton.ts';
import { UNKNOWN } from '../command.ts';
import { locate, zoneOf } from '../paths.ts';
import type { Language } from '../unwrap/inner.ts';
import { GENERIC, HARMLESS_MEMBERS, PYTHON_MODULES, PYTHON_NAMES, SCRIPT_NAMES } from './inline-names.ts';

const MAX_CHARACTERS = 4_000;

export function isProvablyHarmless(text: string, language: Language): boolean {
  if (text.trim() === '') return true;
  if (text.length > MAX_CHARACTERS || text.includes(UNKNOWN)) return false;
  switch (language) {
    case 'python':
      return isPython(skeletonOf(text, language));
    case 'javascript':
      return isScript(skeletonOf(text, language), text);
    case 'perl':
      return isPerl(text);
    case 'awk':
      return isAwk(text);
    default:
      return isGeneric(skeletonOf(text, language), text);
  }
}

const LITERAL = '§\\d+§(?=\\s*[,)])';
/** Calls with literals: the files are judged by the rules, and nothing else is reached. */
const PYTHON_CALLS = new RegExp(
  [
    '\\bos\\.(?:getcwd|cpu_count|getpid|uname|sep|name|linesep|pathsep|curdir)\\b',
    `\\bos\\.path\\.\\w+`,
    `\\bos\\.(?:listdir|makedirs|mkdir|remove|unlink|rmdir|stat)\\(\\s*${LITERAL}`,
    '\\bos\\.listdir\\(\\s*\\)',
    `\\bos\\.(?:environ\\.get|getenv)\\(\\s*${LITERAL}(?:\\s*,\\s*${LITERAL})?\\s*\\)`,
    '\\bos\\.environ\\[\\s*§\\d+§\\s*\\]',
    '\\b(?:json|tomllib)\\.loads?\\b',
    `\\bshutil\\.(?:rmtree|which|disk_usage)\\(\\s*${LITERAL}`,
    `\\bshutil\\.copy\\w*\\(\\s*${LITERAL}\\s*,\\s*${LITERAL}`,
    `(?<![.\\w])open\\(\\s*${LITERAL}`,
    `\\b(?:requests|httpx)\\.get\\(\\s*${LITERAL}`,
    `\\b(?:pd|pandas)\\.read_(?:csv|json|parquet|excel)\\(\\s*${LITERAL}`,
    `\\bsqlite3\\.connect\\(\\s*${LITERAL}\\s*\\)`,
    '\\bsqlite3\\.(?:version|sqlite_version)\\b',
    '\\bplatform\\.\\w+',
    '\\bsys\\.(?:version|version_info|platform|argv|path|executable|maxsize|exit|stdin|stdout|stderr|getsizeof|byteorder|prefix|implementation)\\b',
  ].join('|'),
  'g',
);

/** The texts with an `f` before them, or with more before them than any text of Python has. */
function formattedIn(code: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { index, 1: at } of code.matchAll(/§(\d+)§/g)) {
    const [prefix = ''] = /\w*$/.exec(code.slice(Math.max(0, index - 3), index)) ?? [];
    if (prefix.length > 2 || /f/i.test(prefix)) found.add(Number(at));
  }
  return found;
}

function isPython({ code, texts }: Skeleton): boolean {
  const formatted = formattedIn(code);
  if (!texts.every((text, at) => isPlainText(text, formatted.has(at)))) return false;
  const imported = [...code.matchAll(/(?<![.\w])import\s+([\w.,\s]+?)(?=[;\n)]|$)/g)]
    .filter(({ index }) => !/from\s+[\w.]+\s+$/.test(code.slice(0, index)))
    .flatMap(([, list = '']) => list.split(',').map(each => each.trim().split(/\s+as\s+/)));
  const modules = new Set(imported.map(([module = '']) => module.split('.')[0] ?? ''));
  const from = [...code.matchAll(/\bfrom\s+([\w.]+)\s+import\s+\(?([\w,\s*]+?)(?=[;\n)]|$)/g)];
  if (
    ![...modules, ...from.map(([, module = '']) => module.split('.')[0] ?? '')].every(name =>
      PYTHON_MODULES.has(name),
    )
  )
    return false;
  // What is brought in by its own name is called without a dot.
  if (from.some(([, module = '', list = '']) => !PURE.test(module) && !list.split(',').every(isHarmlessName)))
    return false;
  const rest = code.replace(PYTHON_CALLS, ' ');
  const bound = boundNames(
    rest,
    from.flatMap(([, , list = '']) => list.split(/[\s,]+/)).concat(imported.flat()),
  );
  const brought = new Set([...modules, ...from.flatMap(([, module = '']) => module.split('.'))]);
  return isKnownThroughout(
    rest,
    name => PYTHON_NAMES.has(name) || bound.has(name) || brought.has(name),
    new Set(['os', 'shutil', 'sys', 'sqlite3']),
  );
}

/** Modules in which nothing reaches out. */
const PURE =
  /^(?:datetime|collections|math|itertools|functools|json|re|random|statistics|decimal|fractions|typing|dataclasses|enum|string|textwrap|pprint|urllib\.parse|hashlib|base64|uuid|time|heapq|bisect)$/;

function isHarmlessName(imported: string): boolean {
  return HARMLESS_MEMBERS.has(imported.trim().split(/\s+/)[0] ?? '');
}

/** Names that the code itself gives: `x = …`, `for x in`, `as x`, parameters. What they stand for is made of known names. */
function boundNames(code: string, more: readonly string[]): ReadonlySet<string> {
  const found = new Set(more.filter(name => /^\w+$/.test(name)));
  for (const [, names = ''] of code.matchAll(/(?<![.\w])([A-Za-z_][\w\s,]*?)\s*(?:=(?!=)|:=)/g))
    for (const name of names.split(/[\s,]+/)) found.add(name);
  for (const [, names = ''] of code.matchAll(/\bfor\s+\(?([\w\s,]+?)\)?\s+(?:in|of)\b/g))
    for (const name of names.split(/[\s,]+/)) found.add(name);
  for (const [, name = ''] of code.matchAll(/\bas\s+(\w+)/g)) found.add(name);
  for (const [, names = ''] of code.matchAll(/\b(?:lambda|def\s+\w+\s*\()\s*([\w\s,]*)[:)]/g))
    for (const name of names.split(/[\s,]+/)) found.add(name);
  for (const [, name = ''] of code.matchAll(/\bdef\s+(\w+)/g)) found.add(name);
  return found;
}

/** Every name that stands for itself is known, and every member that is asked for is harmless on whatever has it. */
function isKnownThroughout(
  code: string,
  isKnown: (name: string) => boolean,
  never: ReadonlySet<string>,
): boolean {
  for (const match of code.matchAll(/(\.\s*)?(?<![\w§$])([A-Za-z_$][\w$]*)/g)) {
    const [, dot, name = ''] = match;
    const isMember = dot !== undefined && !/\.\.$/.test(code.slice(0, match.index + 1));
    if (
      isMember ? !HARMLESS_MEMBERS.has(name) : never.has(name) ? !isImport(code, match.index) : !isKnown(name)
    )
      return false;
  }
  return true;
}

/** In the line that brings it in, a name does nothing yet. */
function isImport(code: string, at: number): boolean {
  return /(?:^|[;\n])\s*(?:import|from)\s[^;\n]*$/.test(code.slice(Math.max(0, at - 200), at));
}

/** A text in which code can stand holds nothing but names. */
function isPlainText(text: string, isFormatted: boolean): boolean {
  return (
    !isFormatted ||
    [...text.matchAll(/\{([^{}]*)\}/g)].every(([, inside = '']) =>
      /^[A-Za-z_]\w*(?:\[\d+\])?(?:[:!][^{}]*)?$/.test(inside),
    )
  );
}

const SCRIPT_CALLS = new RegExp(
  [
    `(?:\\bfs|\\brequire\\(\\s*${LITERAL}\\s*\\))\\.(?:readFileSync|writeFileSync|appendFileSync|existsSync|readdirSync|statSync|mkdirSync|rmSync|unlinkSync)\\(\\s*${LITERAL}`,
    `(?<![.\\w])fetch\\(\\s*${LITERAL}\\s*\\)`,
    '\\bprocess\\.env(?:\\.\\w+|\\[\\s*§\\d+§\\s*\\])',
    '\\bprocess\\.(?:version|versions|platform|arch|argv|cwd|exit|memoryUsage|uptime|hrtime|pid|release|title|exitCode)\\b',
    '\\bBun\\.version\\b|\\bDeno\\.version\\b',
  ].join('|'),
  'g',
);
const REACHING = /constructor|__|proto/;
const HARMLESS_REQUIRE =
  /^(?:node:)?(?:path|os|util|url|querystring|crypto|assert|fs|events|string_decoder|punycode|buffer|perf_hooks)$|^\.\.?\/[\w./-]*\.json$/;

function isScript({ code, texts, backticks }: Skeleton, text: string): boolean {
  if (/\bimport\b/.test(code)) return false;
  if (
    backticks.some(each =>
      [...each.matchAll(/\$\{([^{}]*)\}?/g)].some(([, inside = '']) => !/^[\w.]+$/.test(inside)),
    )
  )
    return false;
  const required = [...code.matchAll(/\brequire\s*\(\s*(?:§(\d+)§\s*\))?/g)];
  if (
    !required.every(([, index]) => index !== undefined && HARMLESS_REQUIRE.test(texts[Number(index)] ?? ''))
  )
    return false;
  // Any member can be asked for by a text, also the one that makes code of a text.
  const isData = required.every(([, index]) => /\.json$/.test(texts[Number(index)] ?? ''));
  if (/[\w$)\]§]\s*\[\s*(?!\d+\s*\]|§\d+§\s*\])/.test(code) || REACHING.test(`${text}${texts.join(' ')}`))
    return false;
  const byText = [...code.matchAll(/([\w$]+|[)\]§])\s*\[\s*§(\d+)§\s*\]/g)].filter(
    ([all]) => !/^env\s*\[/.test(all),
  );
  if (
    byText.some(
      ([, base = '', index]) =>
        SCRIPT_NAMES.has(base) || (!isData && !HARMLESS_MEMBERS.has(texts[Number(index)] ?? '')),
    )
  )
    return false;
  const rest = code
    .replace(SCRIPT_CALLS, ' ')
    .replace(/\brequire\s*\(\s*§\d+§\s*\)/g, ' ')
    // Names of members that are made are no names that are used.
    .replace(/([{,]\s*)[A-Za-z_$][\w$]*(?=\s*:)/g, '$1');
  const arrows = [...rest.matchAll(/\(([\w\s,]*)\)\s*=>|(\w+)\s*=>/g)].flatMap(match =>
    (match[1] ?? match[2] ?? '').split(/[\s,]+/),
  );
  const bound = boundNames(rest.replace(/\b(?:const|let|var)\b/g, ' '), arrows);
  // Where nothing but data is brought in, a member that is only looked at is data too.
  const plain = isData
    ? rest.replace(/\.\s*[A-Za-z_$][\w$]*(?!\s*(?:[\w$(`]|\.\s*(?:call|apply|bind)\b))/g, ' ')
    : rest;
  return isKnownThroughout(plain, name => SCRIPT_NAMES.has(name) || bound.has(name), new Set());
}

const PERL_NAMES =
  /^(?:print|printf|say|if|unless|else|elsif|and|or|not|eq|ne|lt|gt|le|ge|cmp|x|next|last|redo|while|until|for|foreach|my|our|join|split|length|uc|lc|ucfirst|lcfirst|sprintf|scalar|sort|reverse|keys|values|push|pop|shift|unshift|grep|map|exists|defined|delete|substr|index|rindex|abs|int|sqrt|hex|oct|ord|chr|chomp|chop|tr|y|s|m|qr|q|qq|qw|BEGIN|END|eof|STDIN|STDOUT|STDERR|exit|sum|time|localtime|rand|srand|wantarray|a|b|F|ARGV|_|n|t|r|e0|[a-z]\d?)$/;

function isPerl(text: string): boolean {
  // Code inside of texts and patterns, other programs, files and handles.
  if (
    /`|@\{|\$\{|\(\?\??\{|<(?!\s*(?:STDIN|>|=|\s|\d))|(?<![\w$@%&])&\w|->|::|\bqx\b|\|\s*["']|["']\s*\|/.test(
      text,
    )
  )
    return false;
  const plain = text
    .replace(
      /\b(?:s|tr|y)([/|#!,])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1([a-z]*)/gs,
      (_all, _mark, flags: string) => (flags.includes('e') ? ' system ' : ' '),
    )
    .replace(/\bs\{(?:[^{}]*)\}\s*\{[^{}]*\}([a-z]*)/g, (_all, flags: string) =>
      flags.includes('e') ? ' system ' : ' ',
    )
    .replace(/(?:\bm)?\/(?:\\.|[^\\/\n])*\/[gimsxc]*/g, ' ')
    .replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs, ' ');
  // Every other sign may end a pattern too; those are not read here.
  if (/(?<![$@%\w])(?:s|tr|y|m|qr|qq|q|qw)\s*[^\w\s,;=)>]/.test(plain)) return false;
  return [...plain.matchAll(/([$@%]?)(?<!\w)([A-Za-z_]\w*)/g)].every(([, sigil, name = '']) =>
    sigil ? name !== 'ENV' : PERL_NAMES.test(name),
  );
}

const AWK_CALLS =
  /^(?:print|printf|length|substr|index|split|sub|gsub|gensub|match|toupper|tolower|sprintf|int|sqrt|exp|log|sin|cos|atan2|rand|srand|strftime|systime|mktime|asort|asorti|patsplit|and|or|xor|lshift|rshift|compl|strtonum|if|while|for|return|exit|in|else|do|delete|switch|close|fflush|func|function)$/;

function isAwk(text: string): boolean {
  const { code, texts } = skeletonOf(text, 'awk');
  const plain = code.replace(/(^|[\s(,{;!~&|])\/(?:\\.|[^\\/\n])*\//g, '$1 ');
  if (/\bgetline\b|@|\bARG[VC]\b|\bENVIRON\b|\bPROCINFO\b|\bSYMTAB\b|\bFUNCTAB\b/.test(plain)) return false;
  if (/\|/.test(plain.replaceAll('||', ' '))) return false;
  const own = new Set([...plain.matchAll(/\bfunc(?:tion)?\s+(\w+)/g)].map(([, name = '']) => name));
  if (
    ![...plain.matchAll(/(?<![\w$])([A-Za-z_]\w*)\s*\(/g)].every(
      ([, name = '']) => AWK_CALLS.test(name) || own.has(name),
    )
  )
    return false;
  // Behind `print` a sign for "greater" names a file.
  return [...plain.matchAll(/\bprintf?\b([^;}\n]*)/g)].every(([, said = '']) => {
    const outer = withoutBrackets(said);
    const target = />>?\s*(.*)$/s.exec(outer)?.[1];
    if (target === undefined) return true;
    const literal = /^§(\d+)§\s*$/.exec(target)?.[1];
    const path = literal === undefined ? undefined : texts[Number(literal)];
    return (
      path !== undefined && (/^\/dev\/std(?:err|out)$/.test(path) || zoneOf(locate(path, '.')) === 'inside')
    );
  });
}

function withoutBrackets(text: string): string {
  let level = 0;
  return [...text]
    .filter(sign => {
      if (sign === '(' || sign === '[') level++;
      const isOutside = level === 0;
      if (sign === ')' || sign === ']') level--;
      return isOutside;
    })
    .join('');
}

/** Other languages: nothing but printing and counting. */
function isGeneric({ code, backticks }: Skeleton, text: string): boolean {
  if (backticks.length > 0 || /#\{|\$\{|%x|\$\(/.test(text)) return false;
  const plain = code.replace(/(^|[\s(,])\/(?:\\.|[^\\/\n])*\//g, '$1 ');
  return [...plain.matchAll(/(?<![\w§])([A-Za-z_][\w]*[?!]?)/g)].every(([, name = '']) => GENERIC.has(name));
}
