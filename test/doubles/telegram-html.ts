// Reads text as Telegram's `parse_mode: HTML` does: a few tags, four named entities, everything else is refused.

export class BadFormatting extends Error {
  override readonly name = 'BadFormatting';
}

export interface Formatted {
  /** What people see. */
  readonly text: string;
  readonly entities: readonly { readonly type: string; readonly text: string; readonly url?: string }[];
}

const TYPES: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
  'tg-spoiler': 'spoiler',
};
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const TOKEN =
  /<(\/?)([a-z-]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>|&(#\d+|#x[0-9a-f]+|[a-z]+);|[^<&]+|[<&]/giy;

/** Throws BadFormatting where Telegram answers `can't parse entities`. */
export function readHtml(html: string): Formatted {
  let text = '';
  const entities: { type: string; text: string; url?: string }[] = [];
  const open: { tag: string; at: number; url?: string }[] = [];
  for (const [whole, slash, tag = '', attributes = '', entity] of html.matchAll(TOKEN)) {
    if (entity !== undefined) text += decode(entity) ?? whole;
    else if (whole === '<') throw new BadFormatting(`Unsupported start tag at byte offset ${text.length}`);
    else if (!whole.startsWith('<')) text += whole;
    else if (slash === '/') {
      const last = open.pop();
      if (last?.tag !== tag) throw new BadFormatting(`Unmatched end tag "${tag}"`);
      entities.push({
        type: TYPES[tag] ?? tag,
        text: text.slice(last.at),
        ...(last.url === undefined ? {} : { url: last.url }),
      });
    } else {
      if (!Object.hasOwn(TYPES, tag)) throw new BadFormatting(`Unsupported start tag "${tag}"`);
      if (tag === 'blockquote' && open.some(each => each.tag === tag)) {
        throw new BadFormatting('Nested blockquote');
      }
      const href = /href="([^"]*)"/.exec(attributes)?.[1];
      open.push({ tag, at: text.length, ...(href === undefined ? {} : { url: readEntities(href) }) });
    }
  }
  const [left] = open;
  if (left) throw new BadFormatting(`Can't find end tag corresponding to start tag "${left.tag}"`);
  return { text, entities };
}

function readEntities(text: string): string {
  return text.replace(/&(#\d+|#x[0-9a-f]+|[a-z]+);/gi, (whole, entity: string) => decode(entity) ?? whole);
}

function decode(entity: string): string | undefined {
  if (!entity.startsWith('#')) return NAMED[entity];
  const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
