// The value of `$x` and `${x…}`, as far as the script itself says it.
import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from 'unbash';
import { isUnknown, UNKNOWN } from '../command.ts';
import type { Scope } from './scope.ts';
import type { WordContext } from './word-context.ts';

/** Decodes a word into one text; given by the caller, since words hold parameters and parameters hold words. */
type Decode = (word: Word, context: WordContext) => string;

/** All values it may have. Nothing known of it is UNKNOWN; positional parameters that nobody gave are empty. */
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

function lookUp(name: string, { variables, positional }: Scope): readonly string[] | undefined {
  if (/^\d+$/.test(name)) return positional && [name === '0' ? 'bash' : (positional[Number(name) - 1] ?? '')];
  if (name === '@' || name === '*') return positional && [positional.join(' ')];
  if (name === '!') return ['%job'];
  if (name === '?' || name === '#' || name === '$' || name === '-') return [name === '$' ? '%self' : '0'];
  return variables.get(name);
}

function indirect(name: string, { scope }: WordContext): readonly string[] {
  const target = lookUp(name, scope)?.[0];
  return (target !== undefined && lookUp(target, scope)) || [UNKNOWN];
}

/** Arrays are kept as one text with their elements between blanks. */
function element(name: string, index: string, context: WordContext): readonly string[] {
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
