// Brace expansion: `{a,b}`, `{1..3}`, `{a..c}`, nested; bounded.

const MAX_ITEMS = 64;

/** The alternatives of one brace group, given with its braces. What is none comes back as it is. */
export function braceItems(group: string): string[] {
  const body = group.slice(1, -1);
  const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?\d+)?$/.exec(body);
  if (range) return rangeItems(range[1] ?? '', range[2] ?? '');
  const items = splitTopLevel(body);
  return items.length > 1 ? items.slice(0, MAX_ITEMS) : [group];
}

function rangeItems(from: string, to: string): string[] {
  const isNumber = /\d/.test(from) && /\d/.test(to);
  const [start, end] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const step = start <= end ? 1 : -1;
  const count = Math.min(Math.abs(end - start) + 1, MAX_ITEMS);
  return Array.from({ length: count }, (_, at) => {
    const value = start + at * step;
    return isNumber ? String(value) : String.fromCharCode(value);
  });
}

/** At the commas that stand in no inner brace, quote or substitution. */
function splitTopLevel(body: string): string[] {
  const items: string[] = [];
  let [level, quote, start] = [0, '', 0];
  for (let at = 0; at < body.length; at++) {
    const char = body[at] ?? '';
    if (char === '\\') at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === '{' || char === '(') level++;
    else if (char === '}' || char === ')') level--;
    else if (char === ',' && level === 0) {
      items.push(body.slice(start, at));
      start = at + 1;
    }
  }
  return [...items, body.slice(start)];
}
