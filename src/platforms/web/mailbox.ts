// One chat: what was said in it last, numbered, so that whoever was away gets what is missing. Written down line by line:
// the last line of an entry counts.

import { open, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { systemErrorCode } from '../../base/errors.ts';
import { jsonOf } from '../../base/json-of.ts';
import { writePrivateFile } from '../../base/private-files.ts';
import type { Entry } from './protocol.ts';

const MOST_ENTRIES = 200;
/** Lines for each entry, after which the journal is written anew. */
const LINES_PER_ENTRY = 10;

const entryShape = z.object({
  seq: z.int(),
  id: z.string(),
  from: z.enum(['agent', 'you']),
  text: z.string(),
  at: z.number(),
  buttons: z.array(z.array(z.object({ label: z.string(), data: z.string() }))).exactOptional(),
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number() })).exactOptional(),
});

export class Mailbox {
  readonly #path: string;
  /** By id, the one that was changed last at the end. */
  readonly #entries = new Map<string, Entry>();
  /** The number of the newest one that is not kept any more. */
  #dropped = 0;
  #last = 0;
  #lines = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string) {
    this.#path = path;
  }

  static async open(path: string): Promise<Mailbox> {
    const mailbox = new Mailbox(path);
    const text = await textIn(path);
    for (const line of text.split('\n')) if (line !== '') mailbox.#take(line);
    const [oldest] = mailbox.#entries.values();
    // What stood before the oldest may have been dropped in an earlier life.
    mailbox.#dropped = Math.max(mailbox.#dropped, (oldest?.seq ?? 1) - 1);
    // A line that a crash cut off must not swallow the next one.
    if (text !== '' && !text.endsWith('\n')) await mailbox.#rewrite();
    return mailbox;
  }

  get last(): number {
    return this.#last;
  }

  find(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Everything with a higher number, oldest first; not complete when some of it is not kept any more. */
  since(after: number | undefined): { readonly entries: readonly Entry[]; readonly complete: boolean } {
    const complete = after === undefined || (after >= this.#dropped && after <= this.#last);
    const from = complete ? (after ?? 0) : 0;
    return { entries: [...this.#entries.values()].filter(({ seq }) => seq > from), complete };
  }

  /** Adds it, or puts it in place of the one with its id. Resolves when it is written; returns what was dropped for it. */
  async put(
    entry: Omit<Entry, 'seq'>,
    durability: 'now' | 'soon',
  ): Promise<{ readonly entry: Entry; readonly dropped: readonly Entry[] }> {
    const numbered: Entry = { ...entry, seq: this.#last + 1 };
    const dropped = this.#place(numbered);
    const line = `${JSON.stringify(numbered)}\n`;
    this.#lines += 1;
    const isLong = this.#lines > MOST_ENTRIES * LINES_PER_ENTRY;
    const writing = this.#writing.then(() =>
      isLong ? this.#rewrite() : append(this.#path, line, durability),
    );
    // A write that failed is thrown to its own caller only.
    this.#writing = Promise.allSettled([writing]).then(() => undefined);
    await writing;
    return { entry: numbered, dropped };
  }

  #place(entry: Entry): readonly Entry[] {
    this.#last = Math.max(this.#last, entry.seq);
    this.#entries.delete(entry.id);
    this.#entries.set(entry.id, entry);
    const dropped: Entry[] = [];
    for (const [id, oldest] of this.#entries) {
      if (this.#entries.size <= MOST_ENTRIES) break;
      this.#entries.delete(id);
      this.#dropped = oldest.seq;
      dropped.push(oldest);
    }
    return dropped;
  }

  /** A line that a crash cut off is no entry. */
  #take(line: string): void {
    const parsed = entryShape.safeParse(jsonOf(line));
    this.#lines += 1;
    if (parsed.success) this.#place(parsed.data);
  }

  async #rewrite(): Promise<void> {
    const lines = [...this.#entries.values()].map(entry => `${JSON.stringify(entry)}\n`);
    await writePrivateFile(this.#path, lines.join(''));
    this.#lines = lines.length;
  }
}

async function append(path: string, line: string, durability: 'now' | 'soon'): Promise<void> {
  await using file = await open(path, 'a', 0o600);
  await file.appendFile(line);
  if (durability === 'now') await file.datasync();
}

async function textIn(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
