// An answer in markdown while it grows: blocks that are complete are handed over once, the last one may still change.
import { stripAnsi } from '../../base/strip-ansi.ts';
import type { Look } from '../command.ts';
import { type Block, markdownBlocks } from './markdown.ts';

export class GrowingMarkdown {
  readonly #look: () => Look;
  /** From the beginning of the block that is not complete. */
  #open = '';
  /** Whether a block was handed over; an empty line parts it from the next. */
  #hasBefore = false;

  constructor(look: () => Look) {
    this.#look = look;
  }

  add(text: string): void {
    this.#open += text;
  }

  /** Lines of what is complete, each given once, and those of what is not. */
  take(): { readonly kept: readonly string[]; readonly live: readonly string[] } {
    const blocks = this.#blocks(stripAnsi(this.#open));
    const last = blocks.at(-1);
    if (!last) return { kept: [], live: [] };
    const complete = blocks.slice(0, -1);
    if (complete.length > 0) this.#open = last.raw;
    const kept = this.#parted(complete);
    return { kept, live: this.#hasBefore ? ['', ...last.lines] : last.lines };
  }

  /** Everything that is left; the answer is over, or something else comes between. */
  finish(): readonly string[] {
    const lines = this.#parted(this.#blocks(stripAnsi(this.#open)));
    this.#open = '';
    this.#hasBefore = false;
    return lines;
  }

  #parted(blocks: readonly Block[]): readonly string[] {
    return blocks.flatMap(({ lines }) => {
      const parting = this.#hasBefore ? [''] : [];
      this.#hasBefore = true;
      return [...parting, ...lines];
    });
  }

  /** What is no block of its own belongs to the one before: a list may go on behind an empty line. */
  #blocks(text: string): readonly Block[] {
    const blocks: Block[] = [];
    for (const block of markdownBlocks(text, this.#look())) {
      const before = blocks.at(-1);
      if (block.lines.length > 0) blocks.push(block);
      else if (before) blocks[blocks.length - 1] = { ...before, raw: before.raw + block.raw };
    }
    return blocks;
  }
}
