// What is searched for, made of the options of a redactor: the finder, and what streams must know of the known values.
// Made once in the main thread and once in the thread beside it.
import { hexShape } from './known-hex.ts';
import { formsOf, isTelling } from './known-values.ts';
import { formsOfWords } from './plain-words.ts';
import { type Finder, makeFinder } from './spans.ts';

export interface SearchOptions {
  /** Values that must not get out, whatever the settings say; short and common ones are left out. */
  readonly secrets: readonly string[];
  /** Whether what only looks like a secret is hidden too. */
  readonly shapes: 'on' | 'off';
  /** `bytes`: the texts are bytes, one character each, so that any input comes out as it went in; else plain text. */
  readonly input?: 'text' | 'bytes';
}

export interface Search {
  readonly finder: Finder;
  /** Of the known values; those with line breaks apart. */
  readonly longest: number;
  readonly longestOverLines: number;
  /** The known values that plain words may begin. */
  readonly wordsBefore: readonly string[];
}

export function makeSearch({ secrets, shapes, input = 'text' }: SearchOptions): Search {
  const values = [...new Set(secrets)].filter(isTelling);
  const texts = values.flatMap(formsOf);
  const forms = [...new Set(input === 'bytes' ? texts.map(asBytes) : texts)];
  const bytewise = values.flatMap(value => hexShape(value.trim()) ?? []);
  const lengths = (of: readonly string[]): number =>
    of.reduce((most, { length }) => Math.max(most, length), 0);
  return {
    finder: makeFinder(forms, bytewise, shapes),
    longest: lengths(forms),
    longestOverLines: lengths(forms.filter(form => /[\r\n]/.test(form))),
    wordsBefore: formsOfWords(forms),
  };
}

function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
