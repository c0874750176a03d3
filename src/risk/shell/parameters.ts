// The value of `$x` and `${x…}`, as far as the script itself says it.
import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from 'unbash';
import { isUnknown, UNKNOWN } from '../command.ts';
import { type Scope, valuesOf } from './scope.ts';
import type { WordContext } from './word-context.ts';

/** Decodes a word into one text; given by the caller, since words hold parameters and parameters hold words. */
type Decode = (word: Word, context: WordContext) => string;

/** The words of `$@`, `${a[@]}` and `${@:2}`, each for itself; undefined where they are not known one by one. */
export function wordsOf(
  part: SimpleExpansionPart | ParameterExpansionPart,
  { scope }: WordContext,
  decode: (word: Word) => string,
): readonly string[] | undefined {
  if (part.type === 'SimpleExpansion') return part.text === '$@' ? scope.positional : undefined;
  const { parameter, prefix, operation, index } = part;
  if (prefix !== undefined || (index ? index.value : parameter) !== '@') return undefined;
  const words = index ? scope.arrays.get(parameter) : scope.positional;
  if (operation === undefined || words === undefined) return words;
  if (operation.type !== 'Slice') return undefined;
  // The first of the parameters has the number one.
  const start = Number(decode(operation.offset)) - (index ? 0 : 1);
  const count = operation.length === undefined ? words.length : Number(decode(operation.length));
  return start >= 0 && count >= 0 ? words.slice(start, start + count) : undefined;
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
  if (operation?.type === 'Slice' && /^[@*]$/.test(index ? index.value : parameter)) return [UNKNOWN];
  if (index) return element(parameter, index.value, context);
  if (!operation) return noted(parameter, context);
  const values = lookUp(parameter, context.scope);
  if (values === undefined && reveals(operation, word => decode(word, context)))
    context.unknownVariable(parameter);
  return applied(values, operation, word => decode(word, context));
}

const FEW = 8;

/** Whether more than a few characters of the value come out. */
function reveals(operation: ParameterOperation, decode: (word: Word) => string): boolean {
  if (operation.type === 'Default') return !operation.operator.endsWith('+');
  const length =
    operation.type === 'Slice' && operation.length ? Number(decode(operation.length)) : Number.NaN;
  return !(Math.abs(length) <= FEW);
}

/** Whether a word is nothing but a variable that nobody knows, with another word in its place. */
export function isDefaulted({ parts }: Word, { scope }: WordContext): boolean {
  const [only, ...others] = parts ?? [];
  const inner = only?.type === 'DoubleQuoted' && only.parts.length === 1 ? only.parts[0] : only;
  return (
    others.length === 0 &&
    inner?.type === 'ParameterExpansion' &&
    inner.operation?.type === 'Default' &&
    /[-=]$/.test(inner.operation.operator) &&
    lookUp(inner.parameter, scope) === undefined
  );
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
  return scope.references.has(name) ? throughReferences(name, scope) : valuesOf(scope, name);
}

const MAX_REFERENCES = 8;

function throughReferences(name: string, scope: Scope): readonly string[] | undefined {
  let target = name;
  for (let hops = 0; hops < MAX_REFERENCES; hops++) {
    const next = scope.references.get(target);
    if (next === undefined) return valuesOf(scope, target);
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
