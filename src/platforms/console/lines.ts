// Lines of a stream, each bounded: what is longer is thrown away up to its end, and told.

export type Read = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too long' };

export async function* linesOf(
  input: AsyncIterable<Uint8Array | string>,
  most: number,
): AsyncGenerator<Read> {
  const decoder = new TextDecoder();
  let pending = '';
  let isSkipping = false;
  for await (const chunk of input) {
    const pieces = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      const text = pending + piece;
      pending = '';
      if (isSkipping || text.length > most) yield { kind: 'too long' };
      else yield { kind: 'line', text: text.replace(/\r$/, '') };
      isSkipping = false;
    }
    pending += last;
    if (pending.length <= most) continue;
    pending = '';
    isSkipping = true;
  }
  if (isSkipping) yield { kind: 'too long' };
  else if (pending !== '') yield { kind: 'line', text: pending };
}
