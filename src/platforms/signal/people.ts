// Numbers and account ids that are one person. A number belongs to whom it was seen with first: when it turns up with
// somebody else it has changed hands, and whoever has it now is a stranger.
import { z } from 'zod';
import type { Log } from '../../base/log.ts';
import { addressOf, type SignalAddress } from './address.ts';
import type { Folder } from './folder.ts';

const FILE = 'people.json';
const fileShape = z.record(z.string(), z.string());
/** The oldest are forgotten, but for those that the operator has listed. */
const MOST_KNOWN = 1000;

export interface PeopleOptions {
  readonly folder: Folder;
  readonly log: Log;
  /** What the operator let in by name; it is never forgotten. */
  readonly listed: readonly string[];
}

export class People {
  readonly #options: PeopleOptions;
  /** Account ids by number, in the order in which they were learnt. */
  #known: Promise<Map<string, string>> | undefined;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** The one id of somebody: the account id where it is known. Undefined for nobody. */
  async idOf({ number, uuid }: SignalAddress): Promise<string | undefined> {
    if (uuid !== undefined) return uuid;
    return number === undefined ? undefined : ((await this.#load()).get(number) ?? number);
  }

  async sameAs(id: string): Promise<readonly string[]> {
    const known = await this.#load();
    const { number, uuid } = addressOf(id);
    if (uuid !== undefined) return [...known].filter(([, each]) => each === uuid).map(([each]) => each);
    const other = number === undefined ? undefined : known.get(number);
    return other === undefined ? [] : [other];
  }

  /** Keeps that the two are one person. */
  async learn({ number, uuid }: SignalAddress): Promise<void> {
    if (number === undefined || uuid === undefined) return;
    const { folder, log } = this.#options;
    const known = await this.#load();
    const before = known.get(number);
    if (before === uuid) return;
    if (before !== undefined) {
      log.warn({ user: uuid }, 'a number has changed hands; what was allowed for the number is not for them');
      return;
    }
    known.set(number, uuid);
    this.#forgetOldest(known);
    await folder.write(FILE, Object.fromEntries(known));
  }

  #forgetOldest(known: Map<string, string>): void {
    if (known.size <= MOST_KNOWN) return;
    const { listed } = this.#options;
    const oldest = [...known.keys()].find(number => !listed.includes(number));
    if (oldest !== undefined) known.delete(oldest);
  }

  #load(): Promise<Map<string, string>> {
    this.#known ??= this.#options.folder.read(FILE).then(
      value => new Map(Object.entries(fileShape.safeParse(value).data ?? {})),
      (error: unknown) => {
        // It is read anew when somebody asks again.
        this.#known = undefined;
        throw error;
      },
    );
    return this.#known;
  }
}
