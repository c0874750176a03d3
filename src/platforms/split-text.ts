// Splits a long markdown text into messages: between paragraphs where it can, then between lines, then between words. Code
// in fences stays whole; what is longer than a message is closed and opened again, so that each part is code by itself.
import { closesFence, openingMark } from '../base/code-fence.ts';

interface Block {
  readonly text: string;
  /** The lines that begin and end the code; absent = prose. */
  readonly fence?: { readonly open: string; readonly close: string };
}

/** Parts of at most `limit` UTF-16 units, none of them blank. Nothing but space at the seams is lost. */
export function splitText(text: string, limit: number): readonly string[] {
  const parts: string[] = [];
  let current = '';
  const flush = (): void => {
    const part = trimmed(current);
    if (part !== '') parts.push(part);
    current = '';
  };
  for (const block of blocksOf(text)) {
    if (!fits(current + block.text, limit)) flush();
    if (fits(block.text, limit)) {
      current += block.text;
      continue;
    }
    for (const piece of cutBlock(block, limit)) {
      flush();
      current = piece;
    }
    // What stands between it and the next block.
    current += block.text.slice(block.text.trimEnd().length);
  }
  flush();
  return parts;
}

function fits(text: string, limit: number): boolean {
  return text.length <= limit || trimmed(text).length <= limit;
}

/** Indentation of the first line means something; empty lines before it do not. */
function trimmed(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

/** Fences as one block each, prose by paragraphs; together they are the text. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let prose = '';
  const endProse = (): void => {
    for (const paragraph of prose.match(/[\s\S]+?(?:\n(?:[ \t]*\n)+|$)/g) ?? [])
      blocks.push({ text: paragraph });
    prose = '';
  };
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const mark = openingMark(line);
    if (mark === undefined) {
      prose += line;
      continue;
    }
    endProse();
    const end = closingLine(lines, at + 1, mark);
    const code = lines.slice(at, end + 1).join('');
    const indentation = /^[ \t]*/.exec(line)?.[0] ?? '';
    blocks.push({ text: code, fence: { open: line.trimEnd(), close: indentation + mark } });
    at = end;
  }
  endProse();
  return blocks;
}

/** A fence that nobody closes goes to the end. */
function closingLine(lines: readonly string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at++) if (closesFence(lines[at] ?? '', mark)) return at;
  return lines.length - 1;
}

function cutBlock({ text, fence }: Block, limit: number): readonly string[] {
  if (fence === undefined) return cutProse(text, limit);
  const room = limit - fence.open.length - fence.close.length - 2;
  // A fence that leaves no room for code is text like any other.
  if (room < 1) return cutProse(text, limit);
  const lines = text.split('\n').slice(1);
  while (lines.at(-1) === '') lines.pop();
  if (lines.at(-1)?.trim().startsWith(fence.close.trim())) lines.pop();
  return packLines(lines, room).map(code => `${fence.open}\n${code}\n${fence.close}`);
}

/** Code by whole lines, as many as fit; a line that is too long is cut anywhere. */
function packLines(lines: readonly string[], room: number): readonly string[] {
  const packs: string[] = [];
  let pack: string | undefined;
  for (const line of lines.flatMap(each => hardCut(each, room))) {
    const longer: string = pack === undefined ? line : `${pack}\n${line}`;
    if (pack !== undefined && longer.length > room) {
      packs.push(pack);
      pack = line;
    } else {
      pack = longer;
    }
  }
  return pack === undefined ? packs : [...packs, pack];
}

/** At the last end of a line that fits, else at the last space, else anywhere. */
function cutProse(text: string, limit: number): readonly string[] {
  const parts: string[] = [];
  let rest = trimmed(text);
  while (rest.length > limit) {
    const head = rest.slice(0, limit + 1);
    const line = head.lastIndexOf('\n');
    const space = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\t'));
    const at = line > limit / 3 ? line : Math.max(space, line);
    const length = at > 0 ? at : wholeLength(rest, limit);
    parts.push(rest.slice(0, length));
    rest = at > 0 ? rest.slice(length + 1) : rest.slice(length);
  }
  return [...parts, rest];
}

function hardCut(line: string, room: number): readonly string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > room) {
    const length = wholeLength(rest, room);
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return [...parts, rest];
}

/** How much can be cut off without taking a character apart, as people see characters. */
function wholeLength(text: string, limit: number): number {
  const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(limit - 1, limit + 1));
  const units = isPair && limit > 1 ? limit - 1 : limit;
  const from = Math.max(0, units - LONGEST_CHARACTER);
  const near = new Intl.Segmenter().segment(text.slice(from, units + LONGEST_CHARACTER));
  const start = near.containing(units - from)?.index;
  return start === undefined || start === 0 ? units : from + start;
}

/** Units of a family with flags and skin colours; longer ones may be cut. */
const LONGEST_CHARACTER = 64;
