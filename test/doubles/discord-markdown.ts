// Reads a message as Discord shows it: what is formatting is not seen, what only Discord knows is seen as what it becomes.

interface Rule {
  readonly pattern: RegExp;
  readonly show: (match: RegExpExecArray) => string;
}

const inner = (at: number) => (match: RegExpExecArray) => readInline(match[at] ?? '');

/** In the order in which Discord tries them. */
const RULES: readonly Rule[] = [
  { pattern: /```(?:[a-z0-9_+\-.#]+?\n)?\n*([^\n][\s\S]*?)\n*```/iy, show: match => match[1] ?? '' },
  { pattern: /(`+)([\s\S]*?[^`])\1(?!`)/y, show: match => match[2] ?? '' },
  { pattern: /\\([^0-9A-Za-z\s])/y, show: match => match[1] ?? '' },
  { pattern: /<(https?:\/\/[^\s>]+)>/y, show: match => match[1] ?? '' },
  { pattern: /https?:\/\/[^\s<]+[^<.,:;"')\]\s]/y, show: match => match[0] },
  { pattern: /\[((?:\\.|[^\]\\])+)\]\(https?:\/\/[^\s()]+\)/y, show: inner(1) },
  { pattern: /<(?:@[!&]?|#)\d+>/y, show: () => '@somebody' },
  { pattern: /<a?:\w+:\d+>/y, show: () => ':emoji:' },
  { pattern: /<t:-?\d+(?::\w)?>/y, show: () => 'a time' },
  { pattern: /\|\|([\s\S]+?)\|\|/y, show: () => '▮▮▮' },
  { pattern: /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, show: inner(1) },
  { pattern: /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, show: inner(1) },
  { pattern: /\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:[^*\s]|\*\*)|[^\s*\\])+?)\*(?!\*)/y, show: inner(1) },
  { pattern: /\b_((?:__|\\[\s\S]|[^\\_])+?)_\b/y, show: inner(1) },
  { pattern: /~~([\s\S]+?)~~(?!_)/y, show: inner(1) },
];

function readInline(text: string): string {
  let shown = '';
  let at = 0;
  while (at < text.length) {
    const found = RULES.map(rule => {
      rule.pattern.lastIndex = at;
      return { rule, match: rule.pattern.exec(text) };
    }).find(({ match }) => match !== null);
    if (found?.match) {
      shown += found.rule.show(found.match);
      at += found.match[0].length;
    } else {
      shown += text[at];
      at += 1;
    }
  }
  return shown;
}

/** Marks at the beginning of lines go, but not in code. */
export function readDiscord(content: string): string {
  const parts = content.split(/(```[\s\S]*?```)/);
  const lines = parts.map(part =>
    part.startsWith('```') && part.length > 6
      ? part
      : part.replace(/^(?:>>> |> )/gm, '').replace(/^(?:#{1,3}|-#) +(?=\S)/gm, ''),
  );
  return readInline(lines.join('')).trim();
}
