// The kinds of values that settings take.
import { z } from 'zod';
import type { Kind } from './setting.ts';

export function text(accepts = 'text'): Kind<string> {
  return { schema: z.string().min(1), accepts, fromText: value => value };
}

export function matching(pattern: RegExp, accepts: string): Kind<string> {
  return { schema: z.string().regex(pattern), accepts, fromText: value => value };
}

/** The name of an environment variable. */
export function variableName(): Kind<string> {
  return matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'names of variables');
}

/** A host folder and where it is mounted. */
export function volume(): Kind<string> {
  return matching(/^[^:]+:\/[^:]*(:(ro|rw))?$/, '`/host/path:/container/path[:ro|rw]`');
}

export function integer(min: number, max: number, unit = ''): Kind<number> {
  const accepts = `a whole number${unit && ` of ${unit}`} from ${min} to ${max}`;
  return { schema: z.int().min(min).max(max), accepts, fromText: numberFromText };
}

export function decimal(min: number, max: number, unit = ''): Kind<number> {
  const accepts = `a number${unit && ` of ${unit}`} from ${min} to ${max}`;
  return { schema: z.number().min(min).max(max), accepts, fromText: numberFromText };
}

/** The same, or 0 for what is not limited. */
export function orUnlimited(kind: Kind<number>): Kind<number> {
  return {
    ...kind,
    schema: z.union([z.literal(0), kind.schema]),
    accepts: `${kind.accepts}, or 0 for no limit`,
  };
}

export function flag(): Kind<boolean> {
  return { schema: z.boolean(), accepts: 'true or false', fromText: flagFromText };
}

/** `wordForFalse`: what a bare YAML `off`, which older parsers turn into false, stands for. */
export function choice<const T extends string>(
  choices: readonly T[],
  options: { wordForFalse?: T } = {},
): Kind<T> {
  const { wordForFalse } = options;
  const known = z.enum(choices);
  const schema =
    wordForFalse === undefined ? known : z.union([known, z.literal(false).transform(() => wordForFalse)]);
  // The union's output is T; zod's inferred type over a generic enum is wider than that.
  return {
    schema: schema as unknown as z.ZodType<T>,
    accepts: choices.join(', '),
    choices,
    fromText: value => value,
  };
}

/** A list; from text it is JSON, as in `["A","B"]`. */
export function listOf<T>(item: Kind<T>): Kind<readonly T[]> {
  return {
    schema: z.array(item.schema).readonly(),
    accepts: `a list of ${item.accepts} (as a variable: a JSON list)`,
    fromText: jsonFromText,
  };
}

type ValuesOf<F> = { readonly [K in keyof F]: F[K] extends Kind<infer Value> ? Value : never };

/** A mapping with exactly these fields; from text it is JSON. */
export function fieldsOf<const F extends Readonly<Record<string, Kind<unknown>>>>(
  fields: F,
): Kind<ValuesOf<F>> {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return {
    // The shape is made of the very kinds that type the value.
    schema: z.strictObject(shape).readonly() as unknown as z.ZodType<ValuesOf<F>>,
    accepts: `\`{${Object.keys(fields).join(', ')}}\``,
    fromText: jsonFromText,
  };
}

/** A list; from text it is separated by commas, as allowlist variables have always been. */
export function commaListOf(item: Kind<string>): Kind<readonly string[]> {
  // YAML reads a bare 12345 as a number; identities are text.
  const identity = z.union([item.schema, z.int().transform(String)]);
  return {
    schema: z.array(identity).readonly(),
    accepts: `a list of ${item.accepts} (as a variable: separated by commas)`,
    fromText: value =>
      value
        .split(',')
        .map(part => part.trim())
        .filter(part => part !== ''),
  };
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** A span of time in seconds, written as a number or as 30s, 15m, 12h, 7d. */
export function duration(minSeconds: number, maxSeconds: number): Kind<number> {
  const seconds = z.preprocess(secondsFromText, z.number().min(minSeconds).max(maxSeconds));
  return {
    schema: seconds,
    accepts: `seconds from ${minSeconds} to ${maxSeconds}, or a span such as 30m, 12h, 7d`,
    fromText: secondsFromText,
  };
}

function secondsFromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(value.trim());
  if (!match) return value;
  return Number(match[1]) * SECONDS[(match[2] || 's') as keyof typeof SECONDS]; // the pattern allows no other unit
}

function numberFromText(value: string): unknown {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value.trim()) ? Number(value) : value;
}

const FLAG_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

function flagFromText(value: string): unknown {
  const word = value.trim().toLowerCase();
  return Object.hasOwn(FLAG_WORDS, word) ? FLAG_WORDS[word] : value;
}

function jsonFromText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}
