// From what the model wrote to the input of a tool, or to what is accepted instead. Pure.
import { z } from 'zod';
import { nearestName } from '../config/nearest.ts';
import type { ToolCall } from '../providers/provider.ts';
import type { Tool } from '../tools/tool.ts';
import { type Caller, inputOf } from '../tools/tool-spec.ts';

export type ReadInput =
  | { readonly kind: 'call'; readonly tool: Tool; readonly input: unknown }
  /** In words for the model. */
  | { readonly kind: 'refused'; readonly reason: string };

export function readInput(
  { name, input }: ToolCall,
  tools: ReadonlyMap<string, Tool>,
  caller: Caller,
): ReadInput {
  const tool = tools.get(name);
  if (!tool) return refused(unknownTool(name, tools));
  if (caller === 'program' && !tool.insideCode) return refused(`${name} is not available inside a program.`);
  const schema = inputOf(tool, caller);
  const value = parsed(input);
  if (value === undefined)
    return refused(
      `The input of ${name} is no valid JSON. Nothing was done. Accepted: ${signature(name, schema)}`,
    );
  const checked = schema.safeParse(withoutNulls(value));
  if (checked.success) return { kind: 'call', tool, input: checked.data };
  const problems = checked.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  return refused(
    `The input of ${name} does not fit. Nothing was done.\n${problems.join('\n')}\nAccepted: ${signature(name, schema)}`,
  );
}

/** `terminal(command: string, timeout?: number)` */
function signature(name: string, schema: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const fields = Object.entries(properties).map(([key, field]) => {
    const { type = 'any', enum: choices } = typeof field === 'object' ? field : {};
    const kind = choices ? choices.map(choice => JSON.stringify(choice)).join('|') : type;
    return `${key}${required.includes(key) ? '' : '?'}: ${kind}`;
  });
  return `${name}(${fields.join(', ')})`;
}

/** Undefined when it is no JSON. A tool that needs nothing may be called with nothing. */
function parsed(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Some models write null for what they leave out; no tool takes it. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
  const nearest = nearestName(name, tools.keys());
  const known = [...tools.keys()].join(', ');
  return `There is no tool ${name.slice(0, 100)}.${nearest ? ` Did you mean ${nearest}?` : ''} There are: ${known}.`;
}

function refused(reason: string): ReadInput {
  return { kind: 'refused', reason };
}
