// The words that tell what code would do, and how its calls are found.
import type { Skeleton } from './skeleton.ts';

/** Names that begin with @ are deeds that no single program stands for; rules know them. */
export type Deed =
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'script'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'gap' };

const T = '§(\\d+)§';
const LIST = new RegExp(`^(?:\\[\\s*)?${T}((?:\\s*,\\s*(?:\\{\\s*args\\s*:\\s*)?\\[?\\s*§\\d+§)*)`);

export function argv(...words: readonly string[]): Deed {
  return { kind: 'argv', argv: words };
}

/** The texts at the head of a call's arguments; none when the first is no literal. */
function textsAfter({ code, texts }: Skeleton, at: number): string[] {
  const match = LIST.exec(code.slice(at, at + 2_000));
  if (!match) return [];
  return [match[1], ...(match[2] ?? '').matchAll(/§(\d+)§/g).map(each => each[1])].map(
    index => texts[Number(index)] ?? '',
  );
}

export function calls(skeleton: Skeleton, pattern: RegExp): { texts: string[]; rest: string }[] {
  return [...skeleton.code.matchAll(pattern)].map(match => {
    const at = match.index + match[0].length;
    return { texts: textsAfter(skeleton, at), rest: skeleton.code.slice(at, at + 200) };
  });
}
