// What pages say in code: command lines of Hermes, and single words such as settings, variables and paths. Pure.

/** Fences with their language, in the order of the page. */
export function fencesOf(markdown: string): { readonly language: string; readonly text: string }[] {
  return [...markdown.matchAll(/^[ ]*```(\w*)[^\n]*\n([\s\S]*?)^[ ]*```/gm)].map(
    ([, language = '', text = '']) => ({ language, text }),
  );
}

/** What stands between single backticks, on one line. */
export function spansOf(markdown: string): string[] {
  const prose = markdown.replace(/^[ ]*```[\s\S]*?^[ ]*```/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.replaceAll('\\|', '|'));
}

/** The words after each `hermes`, as a shell would cut them; what only shows that a part may be left out is dropped. */
export function commandLinesOf(markdown: string): string[][] {
  const shells = fencesOf(markdown).filter(({ language }) =>
    ['', 'sh', 'bash', 'console'].includes(language),
  );
  const lines = [
    ...shells.flatMap(({ text }) => text.split('\n')),
    ...spansOf(markdown).filter(span => /^(?:npx )?hermes /.test(span)),
  ];
  return lines.flatMap(line =>
    [...line.matchAll(/(?<![\w/.-])hermes (?=[-a-z])(.*)/g)].map(([, rest = '']) => wordsOf(rest)),
  );
}

function wordsOf(rest: string): string[] {
  const words: string[] = [];
  for (const [word] of rest.matchAll(/"[^"]*"|'[^']*'|[^\s"']+/g)) {
    if (/^(?:[|<>;&#…]|&&)/.test(word)) break;
    words.push(word.replace(/^["'[]+|["'\],.:]+$/g, ''));
  }
  return words.filter(word => word !== '');
}
