// What is searched for, made of the options of a redactor: the finder, and what streams must know of the known values.
// Made once in the main thread and once in the thread beside it.

import { beginningAtEnd } from './known-begun.ts';
import { hexShape } from './known-hex.ts';
import { brokenShape, entityShape, spacedShape } from './known-split.ts';
import { formsOf, isTelling, wrappedForms } from './known-values.ts';
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
  /** Where at the end of a text a known value begins that may go on in the next line. */
  readonly begunAtEnd: (text: string) => number;
  /** The known values that plain words may begin. */
  readonly wordsBefore: readonly string[];
}

export function makeSearch({ secrets, shapes, input = 'text' }: SearchOptions): Search {
  const values = [...new Set(secrets)].filter(isTelling);
  const written = (texts: readonly string[]): string[] => [
    ...new Set(input === 'bytes' ? texts.map(asBytes) : texts),
  ];
  const texts = values.flatMap(formsOf);
  const forms = written(texts);
  const wrapped = written(values.flatMap(wrappedForms));
  const whole = values.map(value => value.trim());
  const split = [
    ...whole.flatMap(value => [hexShape(value), spacedShape(value)]),
    entityShape(whole),
    ...wrapped.map(brokenShape),
  ].filter(shape => shape !== undefined);
  const lengths = (of: readonly string[]): number =>
    of.reduce((most, { length }) => Math.max(most, length), 0);
  return {
    finder: makeFinder(forms, split, shapes),
    longest: lengths(forms),
    longestOverLines: lengths(forms.filter(form => /[\r\n]/.test(form))),
    begunAtEnd: beginningAtEnd(wrapped),
    wordsBefore: formsOfWords(forms),
  };
}

function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
