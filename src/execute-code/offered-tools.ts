// The enabled tools as a program sees them: their parameters from the JSON schema of their input, under names that are
// names in both languages.
import { z } from 'zod';
import type { Tool } from '../tools/tool.ts';

/** The part of a JSON schema that signatures are made of. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly default?: unknown;
}

export interface Parameter {
  /** As the tool calls it. */
  readonly key: string;
  /** As the program does. */
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export interface OfferedTool {
  readonly name: string;
  /** The function's. */
  readonly functionName: string;
  readonly description: string;
  /** Those that are required first. */
  readonly parameters: readonly Parameter[];
  /** Parameters that it has outside of programs only. */
  readonly withheld: readonly string[];
  /** Why this input (JSON) is not for a program; undefined when the door shall judge it. */
  refusal(input: string): string | undefined;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Exactly the tools that programs may call; none if there are none. */
export function offeredTools(tools: readonly Tool[]): readonly OfferedTool[] {
  const taken = new Set<string>(['ToolError']);
  return tools.filter(({ insideCode }) => insideCode).map(tool => offer(tool, taken));
}

function offer(tool: Tool, taken: Set<string>): OfferedTool {
  const { name, description } = tool;
  const { properties = {}, required = [] } = schemaOf(tool.inputInsideCode ?? tool.input);
  const withheld = Object.keys(schemaOf(tool.input).properties ?? {}).filter(key => !(key in properties));
  const names = new Set<string>(['others']);
  const parameters = Object.entries(properties).map(([key, schema]) => ({
    ...{ key, schema },
    name: identifier(key, names),
    isRequired: required.includes(key),
  }));
  return {
    ...{ name, description, withheld },
    functionName: identifier(name, taken),
    parameters: parameters.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)),
    refusal: input => refusalOf(input, { name, keys: Object.keys(properties), withheld }),
  };
}

function schemaOf(input: z.ZodType): ObjectSchema {
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as ObjectSchema; // of an object, as every tool's input is
}

function refusalOf(
  input: string,
  { name, keys, withheld }: { name: string; keys: readonly string[]; withheld: readonly string[] },
): string | undefined {
  const given = keysIn(input);
  const odd = given.find(key => !keys.includes(key));
  if (odd === undefined) return undefined;
  if (withheld.includes(odd)) {
    return `${odd} is not available inside a program. Call ${name} itself for that, outside of execute_code.`;
  }
  return `${name} takes no ${odd} inside a program; it takes ${keys.join(', ') || 'nothing'}.`;
}

/** What is no object is for the door to refuse. */
function keysIn(input: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Words that are no names in Python, in JavaScript, or in either. */
const RESERVED = new Set(
  'False None True and arguments as assert async await break case catch class const continue debugger def default del delete do elif else enum eval except export exports extends finally for from function global if implements import in instanceof interface is lambda let match module new nonlocal not null or package pass private protected public raise require return static super switch this throw true false try type typeof var void while with yield'.split(
    ' ',
  ),
);

/** A name made of the text that nothing else has; marks become `_`. */
function identifier(text: string, taken: Set<string>): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|_|$)/, 'x');
  let name = RESERVED.has(plain) ? `${plain}_` : plain;
  for (let count = 2; taken.has(name); count++) name = `${plain}_${count}`;
  taken.add(name);
  return name;
}
