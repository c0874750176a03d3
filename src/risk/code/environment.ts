// Code that shows variables of the environment: one that is named, or all of them.
import type { Skeleton } from './skeleton.ts';

const SHOWS =
  /(?:\bp?print(?:ln|_r|f)?|\bdumps?|console\.\w+|\bstringify|\.write|\bputs|(?<![.\w])p|\becho|\bvar_dump|\bsay|\bdisplay)(?![\w])[^;\n]*?$/;
const ALL =
  /\bos\.environb?\b(?!\s*(?:\[|\.(?:get|setdefault|pop|update|clear|copy\(\)\s*[,)])))|\bprocess\.env\b(?!\s*[.[\w])|(?<![\w.$%])ENV\b(?!\s*(?:\[|\.(?:fetch|key|delete)))|%ENV\b|\$_ENV\b(?!\s*\[)|\bgetenv\(\s*\)/g;
const ONE =
  /\bos\.(?:environ(?:\.get)?|getenv)\s*[([]\s*§(\d+)§|\bprocess\.env(?:\.(\w+)|\[\s*§(\d+)§)|(?<![\w.$%])ENV(?:\.fetch\(|\[)\s*§(\d+)§|\$ENV\{\s*(\w+)|(?<![\w.])getenv\(\s*§(\d+)§/g;

/** The names of the variables that are shown; `*` is all of them. */
export function variablesShown({ code, texts }: Skeleton): string[] {
  const isShown = (at: number): boolean => at === 0 || SHOWS.test(code.slice(Math.max(0, at - 200), at));
  const all = [...code.matchAll(ALL)].filter(({ index }) => isShown(index)).map(() => '*');
  const named = [...code.matchAll(ONE)]
    .filter(({ index }) => isShown(index))
    .map(([, a, b, c, d, e, f]) => b ?? e ?? texts[Number(a ?? c ?? d ?? f)] ?? '');
  return [...all, ...named];
}
