// Where a page of the documentation is on this machine, so that what a message names can be opened from anywhere.
import { fileURLToPath } from 'node:url';

/** `page` is below `docs`, as in `security/gateway.md`. The package and the image bring the pages along. */
export function docsPath(page: string): string {
  return fileURLToPath(new URL(`../../docs/${page}`, import.meta.url));
}
