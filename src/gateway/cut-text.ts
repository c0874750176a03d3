// Cuts long text where it hurts least: between paragraphs, lines or words, and with fences of code whole on both sides.
import { closesFence, openingMark } from '../base/code-fence.ts';

/** Room for a fence that is closed. */
const MARGIN = 16;
/** A boundary that would leave less than this share is not worth it. */
const LEAST_SHARE = 0.5;

/** The first `most` characters at most, and the rest; the rest is empty when all of it fits. */
export function cutText(text: string, most: number): readonly [head: string, rest: string] {
  if (text.length <= most) return [text, ''];
  const at = boundary(text, Math.max(1, most - MARGIN));
  const head = text.slice(0, at);
  const rest = text.slice(at).replace(/^\n+/, '');
  const open = openFence(head);
  if (!open) return [head.trimEnd(), rest];
  return [`${head.trimEnd()}\n${open.mark}`, `${open.line}\n${rest}`];
}

function boundary(text: string, most: number): number {
  const least = most * LEAST_SHARE;
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark, most);
    if (at >= least) return at;
  }
  const unit = text.charCodeAt(most);
  return unit >= 0xdc00 && unit <= 0xdfff ? most - 1 : most;
}

function openFence(text: string): { mark: string; line: string } | undefined {
  let open: { mark: string; line: string } | undefined;
  for (const line of text.split('\n')) {
    const mark = openingMark(line);
    if (open && closesFence(line, open.mark)) open = undefined;
    else if (!open && mark !== undefined) open = { mark, line };
  }
  return open;
}
