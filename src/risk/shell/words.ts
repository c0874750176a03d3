// Decodes words: quotes, escapes, variables, braces, substitutions. What is known only at run time becomes UNKNOWN.
import { parse, type Word, type WordPart } from 'unbash';
import { UNKNOWN } from '../command.ts';
import { braceItems } from './braces.ts';
import { Fields } from './fields.ts';
import { parameterValues, wordsOf } from './parameters.ts';
import { valuesOf } from './scope.ts';
import type { WordContext } from './word-context.ts';

export interface Decoded {
  readonly fields: readonly string[];
  /** The fields are alternatives: the word is one of them. */
  readonly isEither: boolean;
}

export function decodeWord(word: Word, context: WordContext): Decoded {
  if (!word.parts) return { fields: [word.value], isEither: false };
  const fields = new Fields();
  for (const part of word.parts) addPart(fields, part, context, { isQuoted: false });
  return { fields: fields.end(), isEither: fields.isEither };
}

/** A word where the shell does not split: targets of redirections, values of assignments. */
export function decodeWhole(word: Word, context: WordContext): string {
  return decodeWord(word, context).fields.join(' ');
}

/** Parts that stand in a here-document. */
export function decodeParts(parts: readonly WordPart[], context: WordContext): string {
  const fields = new Fields();
  fields.quoted();
  for (const part of parts) addPart(fields, part, context, { isQuoted: true });
  return fields.end().join(' ');
}

function addPart(fields: Fields, part: WordPart, context: WordContext, quoting: { isQuoted: boolean }): void {
  switch (part.type) {
    case 'Literal':
      fields.text(part.value);
      break;
    case 'Glob':
      if (part.parts) context.nested(part);
      fields.text(part.value);
      break;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      fields.quoted();
      fields.text(part.value);
      break;
    case 'DoubleQuoted':
    case 'LocaleString':
      fields.quoted();
      for (const child of part.parts) addPart(fields, child, context, { isQuoted: true });
      break;
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      if (part.type === 'ParameterExpansion' && (part.operation || part.index)) context.nested(part);
      const isSlice = part.type === 'ParameterExpansion' && part.operation?.type === 'Slice';
      const words =
        quoting.isQuoted || isSlice ? wordsOf(part, context, word => decodeWhole(word, context)) : undefined;
      if (words) {
        fields.words(words);
        break;
      }
      fields.value(parameterValues(part, context, decodeWhole), {
        // The words of `"$@"` and `"${a[@]}"` stay words.
        isQuoted: quoting.isQuoted && !/@\]?\}?$/.test(part.text),
        separators: valuesOf(context.scope, 'IFS')?.[0] ?? ' ',
      });
      break;
    }
    case 'CommandExpansion': {
      const output = part.script ? context.substitute(part.script) : undefined;
      fields.value([output?.replace(/\n+$/, '') ?? UNKNOWN], quoting);
      break;
    }
    case 'ArithmeticExpansion':
      context.nested(part);
      fields.text(arithmetic(part.text));
      break;
    case 'ProcessSubstitution':
      fields.text(part.script ? context.processFile(part.script, part.operator) : UNKNOWN);
      break;
    case 'BraceExpansion':
      fields.each(braceItems(part.text).flatMap(item => itemFields(item, context)));
      break;
    case 'ExtendedGlob':
      context.nested(part);
      fields.text(part.text);
      break;
  }
}

/** An item of a brace group is a word in itself. */
function itemFields(item: string, context: WordContext): readonly string[] {
  if (/^[\w./:=@%+,-]*$/.test(item)) return [item];
  const [statement] = parse(`x ${item}`).commands;
  if (statement?.command.type !== 'Command') return [UNKNOWN];
  return statement.command.suffix.flatMap(part =>
    part.type === 'Word' ? decodeWord(part, context).fields : [UNKNOWN],
  );
}

function arithmetic(text: string): string {
  const sum = /^\$\(\(\s*(\d+)\s*(?:([-+*])\s*(\d+)\s*)?\)\)$/.exec(text);
  if (!sum) return UNKNOWN;
  const [left, right] = [Number(sum[1]), Number(sum[3] ?? 0)];
  const results: Readonly<Record<string, number>> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
  };
  return String(sum[2] === undefined ? left : results[sum[2]]);
}
