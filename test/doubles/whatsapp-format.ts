// Reads a text as WhatsApp shows it: marks that enclose words without a space inside are formatting, everything else is text.

export interface Formatted {
  /** What people see. */
  readonly text: string;
  readonly entities: readonly { readonly type: string; readonly text: string }[];
}

const BLOCK = /```\n?([\s\S]*?)\n?```/g;
const CODE = /(?<![\w`])`([^`\n]+)`(?![\w`])/g;
const MARKS = [
  ['bold', '*'],
  ['italic', '_'],
  ['strikethrough', '~'],
] as const;

export function readFormatting(raw: string): Formatted {
  const entities: { type: string; text: string }[] = [];
  const kept: string[] = [];
  // What is code is not looked at again.
  const keep = (type: string) => (_: string, text: string) => {
    entities.push({ type, text });
    kept.push(text);
    return `\u0000${kept.length - 1}\u0000`;
  };
  let text = raw.replace(BLOCK, keep('code-block')).replace(CODE, keep('code'));
  for (const [type, mark] of MARKS) {
    const escaped = `[${mark}]`;
    const pattern = new RegExp(
      `(?<![\\p{L}\\p{N}${mark}])${escaped}(\\S(?:[^\\n]*?\\S)??)${escaped}(?![\\p{L}\\p{N}${mark}])`,
      'gu',
    );
    text = text.replace(pattern, (_, inside: string) => {
      entities.push({ type, text: inside });
      return inside;
    });
  }
  text = text.replace(/^> /gm, '').replace(/\u0000(\d+)\u0000/g, (_, at: string) => kept[Number(at)] ?? '');
  return { text, entities };
}
