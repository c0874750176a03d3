// Code of any language without its texts: literals become §n§, comments go. Enough to tell a call from a mention of it.
import { UNKNOWN } from '../command.ts';
import { unescaped } from '../unescape.ts';
import type { Language } from '../unwrap/inner.ts';
import { withoutAliases } from './imports.ts';

export interface Skeleton {
  readonly code: string;
  readonly texts: readonly string[];
  /** The code before texts were put together and the home folder was found in it. */
  readonly named: string;
  /** Texts between backticks, which some languages hand to a shell. */
  readonly backticks: readonly string[];
}

const SLASH_COMMENTS = new Set<Language>(['javascript', 'php']);
const HASH_COMMENTS = new Set<Language>(['python', 'ruby', 'perl', 'php', 'awk', 'r']);
/** What the user's home folder is called in code. */
const HOME =
  /os\.environ\[§\d+§\]|os\.environ\.get\(§\d+§\)|os\.getenv\(§\d+§\)|process\.env\.HOME|os\.homedir\(\)|require\(§\d+§\)\.homedir\(\)|Path\.home\(\)|ENV\[§\d+§\]|\$ENV\{HOME\}|Dir\.home|getenv\(§\d+§\)/g;

export function skeletonOf(text: string, language: Language): Skeleton {
  const texts: string[] = [];
  const backticks: string[] = [];
  let code = '';
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'" || char === '`') {
      const { value, end } = literalAt(text, at);
      if (char === '`') backticks.push(value);
      code += `§${texts.push(value) - 1}§`;
      at = end;
    } else if (isComment(text, at, language)) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else {
      code += char;
      at++;
    }
  }
  // The words of a call stand side by side in Lisp.
  const named =
    language === 'lisp' ? code.replace(/§\s+(?=§)/g, '§,') : withoutAliases(code, texts, language);
  return { code: joined(named, texts), texts, backticks, named };
}

function isComment(text: string, at: number, language: Language): boolean {
  if (text[at] === '#') return HASH_COMMENTS.has(language) && /^$|\s|;/.test(text[at - 1] ?? '');
  return text.startsWith('//', at) && SLASH_COMMENTS.has(language) && text[at - 1] !== ':';
}

function literalAt(text: string, start: number): { value: string; end: number } {
  const quote = text[start] ?? '';
  const mark = text.startsWith(quote.repeat(3), start) && quote !== '`' ? quote.repeat(3) : quote;
  for (let at = start + mark.length; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(mark, at))
      return { value: unescaped(text.slice(start + mark.length, at)), end: at + mark.length };
  }
  return { value: unescaped(text.slice(start + mark.length)), end: text.length };
}

/** Texts put together by an operator become one, and what only wraps a path goes. */
function joined(code: string, texts: string[]): string {
  const add = (text: string): string => `§${texts.push(text) - 1}§`;
  const text = (index: string): string => texts[Number(index)] ?? '';
  let now = code.replace(HOME, all => {
    const name = /§(\d+)§/.exec(all)?.[1];
    return name === undefined || text(name) === 'HOME' || text(name) === 'os' ? add('~') : add(UNKNOWN);
  });
  for (let round = 0; round < 12; round++) {
    const next = now
      .replace(/§(\d+)§\s*(?:\+|\.(?!\w)|\.\.)\s*§(\d+)§/g, (_, a, b) => add(text(a) + text(b)))
      .replace(/(?<![\w\])])\(\s*§(\d+)§\s*\)(?=\s*\.)/g, (_, a) => `§${a}§`)
      .replace(/§(\d+)§\s*\.joinpath\(\s*§(\d+)§\s*\)/g, (_, a, b) => add(`${text(a)}/${text(b)}`))
      .replace(/§(\d+)§\s*\/\s*§(\d+)§/g, (_, a, b) => add(`${text(a)}/${text(b)}`))
      .replace(
        /(?:os\.path\.(?:expanduser|abspath|realpath)|(?:pathlib\.)?(?:Pure)?Path|File\.expand_path|path\.resolve|String|str)\(\s*§(\d+)§\s*\)(?:\.expanduser\(\))?/g,
        (_, a) => `§${a}§`,
      )
      .replace(/(?:os\.path\.join|path\.join|File\.join)\(\s*((?:§\d+§\s*,?\s*)+)\)/g, (_, list: string) =>
        add([...list.matchAll(/§(\d+)§/g)].map(match => text(match[1] ?? '')).join('/')),
      );
    if (next === now) return now;
    now = next;
  }
  return now;
}
