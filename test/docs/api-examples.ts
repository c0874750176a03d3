// The programs of docs/api.md, and what the page says that they print.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface ApiExample {
  readonly file: string;
  /** As the page has it. */
  readonly code: string;
  readonly printed: string;
}

export const apiPage = readFileSync(join(root, 'docs/api.md'), 'utf8');

/** Where the programs are that the page shows. */
export const exampleFolder = join(root, 'test/fixtures/api-examples');

/** Each begins with the name of its file, and is followed by what it prints. */
export const apiExamples = [
  ...apiPage.matchAll(/```ts\n(\/\/ (\w+\.ts).*\n[\s\S]*?)```\n\n```text\n([\s\S]*?)```/g),
].map(([, code = '', file = '', printed = '']): ApiExample => ({ file, code, printed }));
