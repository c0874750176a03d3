// Which messages one of our texts stands in. Slack takes far less in a change than in a new message, so a text that grows
// goes on in further messages behind the first; those that did not change are not touched. Remembered until a restart.
import { Recent } from '../recent.ts';

export interface Page {
  readonly ts: string;
  /** What it shows; undefined when that is not known. */
  readonly shown: string | undefined;
}

const MOST_KNOWN = 500;

export class PageBook {
  /** By the id under which the text is known outside. */
  readonly #pages = new Recent<readonly Page[]>(MOST_KNOWN);

  of(channel: string, id: string): readonly Page[] {
    return this.#pages.get(`${channel} ${id}`) ?? [{ ts: id, shown: undefined }];
  }

  keep(channel: string, id: string, pages: readonly Page[]): void {
    const key = `${channel} ${id}`;
    if (pages.length <= 1) this.#pages.delete(key);
    else this.#pages.set(key, pages);
  }
}
