// Redaction, the last step of everything that leaves Hermes (P7). It comes before any cutting: half a secret has no
// shape any more.
import { hexShape } from './known-hex.ts';
import { formsOf, isTelling } from './known-values.ts';
import { formsOfWords } from './plain-words.ts';
import { makeFinder, markOf } from './spans.ts';
import { makeStream, type RedactionStream } from './stream.ts';

export interface RedactorOptions {
  /** Values that must not get out, whatever the settings say; short and common ones are left out. */
  readonly secrets: readonly string[];
  /** Whether what only looks like a secret is hidden too. */
  readonly shapes: 'on' | 'off';
  /** `bytes`: the texts are bytes, one character each, so that any input comes out as it went in; else plain text. */
  readonly input?: 'text' | 'bytes';
}

export interface Redactor {
  /** The text with `[redacted:<kind>]` in the place of every secret. What has been redacted stays as it is. */
  redact(text: string): string;
  /** For output that comes in pieces, cut anywhere. */
  stream(): RedactionStream;
  /** The same for text that people watch being written: plain words do not wait for the end of their line. */
  prose(): RedactionStream;
}

export function createRedactor({ secrets, shapes, input = 'text' }: RedactorOptions): Redactor {
  const values = [...new Set(secrets)].filter(isTelling);
  const texts = values.flatMap(formsOf);
  const forms = [...new Set(input === 'bytes' ? texts.map(asBytes) : texts)];
  const bytewise = values.flatMap(value => hexShape(value.trim()) ?? []);
  const finder = makeFinder(forms, bytewise, shapes);
  const longest = forms.reduce((most, { length }) => Math.max(most, length), 0);
  const longestOverLines = forms.reduce(
    (most, form) => (/[\r\n]/.test(form) ? Math.max(most, form.length) : most),
    0,
  );
  const wordsBefore = formsOfWords(forms);
  return {
    redact: text => render(text, finder.spansIn(text)),
    stream: () => makeStream({ finder, longest, longestOverLines }),
    prose: () => makeStream({ finder, longest, longestOverLines, wordsBefore }),
  };
}

function render(text: string, spans: readonly { start: number; end: number; kind: string }[]): string {
  if (spans.length === 0) return text;
  let from = 0;
  let shown = '';
  for (const span of spans) {
    shown += text.slice(from, span.start) + markOf(span);
    from = span.end;
  }
  return shown + text.slice(from);
}

function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
