// Code that runs a program: the calls of each language that hand something to a shell or start a process.
import { UNKNOWN } from '../command.ts';
import type { Language } from '../unwrap/inner.ts';
import { argv, calls, type Deed } from './deed.ts';
import type { Skeleton } from './skeleton.ts';

const RUNS =
  /(?:\b(?:os\.(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?)|subprocess\.\w+|commands\.getoutput|pty\.spawn|os\.execute|io\.popen|IO\.popen|Open3\.\w+|Process\.spawn|Kernel\.\w+|do shell script|execSync|execFileSync|execFile|spawnSync|spawn|passthru|shell_exec|proc_open|pcntl_exec|Deno\.Command|Bun\.spawn\w*|clojure\.java\.shell\/sh|run-(?:shell-command|program)|open-(?:input-|output-)?pipe\*?|shell-command|process\*|os:cmd|System\.(?:cmd|shell|Process\.\w+)|callCommand|readProcess|ProcessBuilder|getRuntime\(\)\.exec|getoutput|check_output|check_call|Popen)|(?<![.\w$>])(?:system[2*]?|popen|exec|qx|%x)|\)\s*\.(?:system|popen|exec(?!ut)\w*|spawn\w*)|\bcp\.exec\w*|child_process\.\w+|__import__\(§\d+§\)\.\w+)\s*[({[]*\s*/g;
/** Imported by name from `subprocess`. */
const BARE_RUNS = /(?<![.\w])(?:\w+\.)?(?:call|run|check_call|check_output|Popen|getoutput)\s*\(\s*/g;

export function runs(skeleton: Skeleton, language: Language): Deed[] {
  // A regular expression of JavaScript has an `exec` too.
  if (language === 'javascript') {
    const isRunner = /child_process|Deno|Bun|shelljs|execa|zx/.test(
      `${skeleton.code}${skeleton.texts.join()}`,
    );
    return [...(isRunner ? calledRuns(skeleton, language) : []), ...tagged(skeleton)];
  }
  if (language === 'awk') return awkRuns(skeleton);
  if (language === 'r') return [...calledRuns(skeleton, language), ...executed(skeleton)];
  return calledRuns(skeleton, language);
}

/** `"rm x".execute()` and `["rm", "x"].execute()` of Groovy, `"rm x".!` of Scala. */
function executed({ code, texts }: Skeleton): Deed[] {
  return [...code.matchAll(/(?:§(\d+)§|\[([^[\]]*)\])\s*\.\s*(?:execute\s*\(|!{1,2}|lineStream)/g)].map(
    match => {
      const words = [...(match[2] ?? '').matchAll(/§(\d+)§/g)].map(each => texts[Number(each[1])] ?? '');
      return match[1] === undefined
        ? argv(...words)
        : { kind: 'script', text: texts[Number(match[1])] ?? '' };
    },
  );
}

function calledRuns(skeleton: Skeleton, language: Language): Deed[] {
  const bare = /subprocess/.test(skeleton.code) ? calls(skeleton, BARE_RUNS) : [];
  return [...calls(skeleton, RUNS), ...bare].flatMap(({ texts, rest }): Deed[] => {
    const [first, ...others] = texts;
    if (first === undefined) return /^[)\]}]|^$/.test(rest) ? [] : [{ kind: 'gap' }];
    if (
      language === 'python' &&
      /exec\s*\(\s*$/.test(skeleton.code.slice(0, skeleton.code.indexOf(rest))) &&
      others.length === 0 &&
      !/os\.|subprocess/.test(skeleton.code)
    )
      return [{ kind: 'code', text: first }];
    if (others.length === 0 || / /.test(first)) return [{ kind: 'script', text: first + tailOf(rest) }];
    return [argv(first, ...others)];
  });
}

/** What is put behind a literal is known only when it runs. */
function tailOf(rest: string): string {
  return /^\[?\s*§\d+§\s*(?:[,)\]};]|$)/.test(rest)
    ? ''
    : /^\[?\s*§\d+§\s*(?:\+|%|\.|\$|\w)/.test(rest)
      ? UNKNOWN
      : '';
}

/** `$`rm x`` of Bun, zx and execa. */
function tagged({ code, texts }: Skeleton): Deed[] {
  return [...code.matchAll(/(?:\$|\bexeca(?:Sync|Command)?)\s*§(\d+)§/g)].map(match => ({
    kind: 'script',
    text: (texts[Number(match[1])] ?? '').replace(/\$\{[^{}]*\}/g, UNKNOWN),
  }));
}

function awkRuns(skeleton: Skeleton): Deed[] {
  const text = (index: string | undefined): string => skeleton.texts[Number(index)] ?? '';
  const piped = [...skeleton.code.matchAll(/print\s+§(\d+)§\s*\|\s*§(\d+)§/g)].flatMap(
    ([, printed, into]): Deed[] =>
      /^\s*(?:\S*\/)?(?:ba|da|z)?sh\b/.test(text(into)) ? [{ kind: 'script', text: text(printed) }] : [],
  );
  const found = [
    ...skeleton.code.matchAll(
      /system\s*\(\s*(?:§(\d+)§\s*([^)\s])?)?|§(\d+)§\s*\|&?\s*getline|\|&?\s*§(\d+)§/g,
    ),
  ];
  const run = found.map(([, called, tail, read, written]): Deed => {
    const index = called ?? read ?? written;
    return index === undefined
      ? { kind: 'gap' }
      : { kind: 'script', text: text(index) + (tail === undefined ? '' : UNKNOWN) };
  });
  return [...piped, ...run];
}

export function backticks(skeleton: Skeleton, text: string, language: Language): Deed[] {
  if (language !== 'perl' && language !== 'ruby' && language !== 'php') return [];
  const quoted = [
    ...text.matchAll(/(?:\bqx|%x)\s*(?:\{([^}]*)\}|\(([^)]*)\)|\[([^\]]*)\]|\/([^/]*)\/|\|([^|]*)\|)/g),
  ].map(match => match.slice(1).find(group => group !== undefined) ?? '');
  return [...skeleton.backticks, ...quoted].map(script => ({ kind: 'script', text: script }));
}
