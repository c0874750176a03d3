// Remembers which number and which other id belong to one person. WhatsApp leaves a number out once its owner has chosen a
// name; without this book they would be a stranger from then on, or be let in although they were kept out.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { systemErrorCode } from '../../base/errors.ts';
import { jsonOf } from '../../base/json-of.ts';
import type { Log } from '../../base/log.ts';
import { ensurePrivateDir, writePrivateFile } from '../../base/private-files.ts';
import { isPhone, type WireIds } from './identity.ts';

const pageShape = z.object({ userId: z.string(), phone: z.string().optional(), as: z.string() });
const bookShape = z.object({ version: z.literal(1), people: z.array(pageShape) });

type Page = z.infer<typeof pageShape>;

/** Of strangers too; whoever was added first goes first. */
const MOST_PEOPLE = 10_000;

export class PeopleBook {
  readonly #folder: string | undefined;
  readonly #log: Log;
  readonly #byUserId = new Map<string, Page>();
  readonly #byPhone = new Map<string, Page>();
  #saved: Promise<unknown> = Promise.resolve();

  private constructor(folder: string | undefined, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /** Without a home it forgets everybody at the end. */
  static async open(home: string | undefined, log: Log): Promise<PeopleBook> {
    const book = new PeopleBook(home === undefined ? undefined : join(home, 'whatsapp'), log);
    for (const page of await book.#read()) book.#add(page);
    return book;
  }

  /**
   * The one identity of somebody. What they were first known by stays, whatever is learned later, so that a decision about
   * them is never lost. A number that was seen with another id is not theirs alone. Resolves when it is written down.
   */
  async identify({ phone, userId }: WireIds): Promise<string> {
    if (userId === undefined) return this.#byPhone.get(phone ?? '')?.as ?? phone ?? '';
    const known = this.#byUserId.get(userId);
    if (known && (known.phone !== undefined || phone === undefined)) return known.as;
    const isAnothers = phone !== undefined && this.#byPhone.has(phone);
    if (known && isAnothers) return known.as;
    if (isAnothers)
      this.#log.warn({ user: userId }, 'a number has changed hands; whoever has it now is a stranger');
    const own = isAnothers ? undefined : phone;
    const as = known?.as ?? own ?? userId;
    this.#add({ userId, as, ...(own === undefined ? {} : { phone: own }) });
    await this.#save();
    return as;
  }

  /** Other ids of whoever has this one, in the writings that an operator may use. */
  sameAs(id: string): readonly string[] {
    const page = this.#byUserId.get(id) ?? this.#byPhone.get(id);
    const phone = page?.phone ?? (isPhone(id) ? id : undefined);
    const all = [page?.as, page?.userId, phone, phone && `+${phone}`];
    return [...new Set(all.filter(each => each !== undefined && each !== id))] as string[]; // those that are left are texts
  }

  #add(page: Page): void {
    this.#byUserId.set(page.userId, page);
    if (page.phone !== undefined) this.#byPhone.set(page.phone, page);
    if (this.#byUserId.size <= MOST_PEOPLE) return;
    const [first] = this.#byUserId.values();
    if (!first) return;
    this.#byUserId.delete(first.userId);
    if (first.phone !== undefined) this.#byPhone.delete(first.phone);
  }

  async #read(): Promise<readonly Page[]> {
    if (this.#folder === undefined) return [];
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return [];
      throw error;
    }
    const { data } = bookShape.safeParse(jsonOf(text));
    if (!data) this.#log.warn({ path: this.#path }, 'the book of people cannot be read; it is begun anew');
    return data?.people ?? [];
  }

  get #path(): string {
    return join(this.#folder ?? '', 'people.json');
  }

  async #save(): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    const write = async (): Promise<void> => {
      await ensurePrivateDir(folder);
      const book = { version: 1, people: [...this.#byUserId.values()] };
      await writePrivateFile(this.#path, JSON.stringify(book));
    };
    const saved = this.#saved.then(write, write);
    this.#saved = Promise.allSettled([saved]);
    await saved;
  }
}
