// The value of `$x` and `${x…}`, as far as the script itself says it.
import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from 'unbash';
import { isUnknown, UNKNOWN } from '../command.ts';
import type { Scope } from './scope.ts';
import type { WordContext } from './word-context.ts';

/** Decodes a word into one text; given by the caller, since words hold parameters and parameters hold words. */
type Decode = (word: Word, context: WordContext) => string;

/** The words of `$@` and `${a[@]}`, each for itself; undefined where they are not known one by one. */
export function wordsOf(
  part: SimpleExpansionPart | ParameterExpansionPart,
  { scope }: WordContext,
): readonly string[] | undefined {
  if (part.type === 'SimpleExpansion') return part.text === '$@' ? scope.positional : undefined;
  const { parameter, prefix, operation, index } = part;
  if (prefix !== undefined || operation !== undefined) return undefined;
  if (index) return index.value === '@' ? scope.arrays.get(parameter) : undefined;
  return parameter === '@' ? scope.positional : undefined;
}

/** All values it may have. Nothing known of it is UNKNOWN; so is a positional parameter, unless it is known who gave it. */
export function parameterValues(
  part: SimpleExpansionPart | ParameterExpansionPart,
  context: WordContext,
  decode: Decode,
): readonly string[] {
  if (part.type === 'SimpleExpansion') return noted(part.text.slice(1), context);
  const { parameter, prefix, operation, index } = part;
  if (prefix === '#') return [UNKNOWN];
  if (prefix === '!') return indirect(parameter, context);
  if (index) return element(parameter, index.value, context);
  if (!operation) return noted(parameter, context);
  const values = lookUp(parameter, context.scope);
  return applied(values, operation, word => decode(word, context));
}

function noted(name: string, context: WordContext): readonly string[] {
  const values = lookUp(name, context.scope);
  if (values === undefined) context.unknownVariable(name);
  return values ?? [UNKNOWN];
}

function lookUp(name: string, scope: Scope): readonly string[] | undefined {
  const { variables, positional } = scope;
  if (name === '0')
    return variables.get('BASH_ARGV0') ?? (scope.zero === undefined ? undefined : [scope.zero]);
  if (/^\d+$/.test(name)) return positional && [positional[Number(name) - 1] ?? ''];
  if (name === '@' || name === '*') return positional && [positional.join(' ')];
  if (name === '!') return ['%job'];
  if (name === '?' || name === '#' || name === '$' || name === '-') return [name === '$' ? '%self' : '0'];
  return scope.references.has(name) ? throughReferences(name, scope) : variables.get(name);
}

const MAX_REFERENCES = 8;

function throughReferences(name: string, { variables, references }: Scope): readonly string[] | undefined {
  let target = name;
  for (let hops = 0; hops < MAX_REFERENCES; hops++) {
    const next = references.get(target);
    if (next === undefined) return variables.get(target);
    target = next;
  }
  return undefined;
}

function indirect(name: string, { scope }: WordContext): readonly string[] {
  const target = lookUp(name, scope)?.[0];
  return (target !== undefined && lookUp(target, scope)) || [UNKNOWN];
}

/** Arrays are kept as one text with their elements between blanks. */
function element(name: string, index: string, context: WordContext): readonly string[] {
  const elements = context.scope.arrays.get(name);
  if (elements && /^\d+$/.test(index)) return [elements[Number(index)] ?? ''];
  const [whole] = noted(name, context);
  if (whole === undefined || index === '@' || index === '*' || isUnknown(whole)) return [whole ?? UNKNOWN];
  return [whole.split(' ')[Number(index)] ?? UNKNOWN];
}

function applied(
  values: readonly string[] | undefined,
  operation: ParameterOperation,
  decode: (word: Word) => string,
): readonly string[] {
  if (operation.type === 'Default') {
    const isSet = values?.some(value => value !== '');
    if (operation.operator.endsWith('+'))
      return isSet || values === undefined ? [decode(operation.operand)] : [''];
    if (operation.operator.endsWith('?')) return values ?? [UNKNOWN];
    return isSet && values ? values : [decode(operation.operand)];
  }
  if (values === undefined) return [UNKNOWN];
  return values.map(value => changed(value, operation, decode));
}

function changed(value: string, operation: ParameterOperation, decode: (word: Word) => string): string {
  if (isUnknown(value)) return UNKNOWN;
  switch (operation.type) {
    case 'Slice':
      return sliced(value, decode(operation.offset), operation.length && decode(operation.length));
    case 'Replace': {
      const pattern = decode(operation.pattern);
      const replacement = decode(operation.replacement);
      if (/[*?[]/.test(pattern)) return UNKNOWN;
      return operation.operator === '//'
        ? value.replaceAll(pattern, () => replacement)
        : value.replace(pattern, () => replacement);
    }
    case 'CaseModification':
      return operation.operator.startsWith('^') ? value.toUpperCase() : value.toLowerCase();
    case 'Remove':
      return removed(value, operation.operator, decode(operation.operand));
    default:
      return UNKNOWN;
  }
}

function sliced(value: string, offset: string, length: string | undefined): string {
  const start = Number(offset);
  const count = length === undefined ? undefined : Number(length);
  if (!Number.isInteger(start) || (count !== undefined && !Number.isInteger(count))) return UNKNOWN;
  const rest = value.slice(start);
  return count === undefined ? rest : count < 0 ? rest.slice(0, count) : rest.slice(0, count);
}

/** `##*` and `%%*` with a plain text; anything with another pattern is left to run time. */
function removed(value: string, operator: string, pattern: string): string {
  const isStart = operator.startsWith('#');
  if (!/[*?[]/.test(pattern)) {
    if (isStart) return value.startsWith(pattern) ? value.slice(pattern.length) : value;
    return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value;
  }
  if (isStart && pattern === '*/')
    return value.slice((operator === '##' ? value.lastIndexOf('/') : value.indexOf('/')) + 1);
  return UNKNOWN;
}
