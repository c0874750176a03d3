// The module `hermes_tools` for Python: the client, and a function with a signature for each tool.
import { readFileSync } from 'node:fs';
import type { OfferedTool, Parameter, Schema } from './offered-tools.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'dict',
  null: 'None',
};

export function pythonModule(tools: readonly OfferedTool[]): string {
  const client = readFileSync(new URL('./client/hermes_tools.py', import.meta.url), 'utf8');
  const all = ['ToolError', ...tools.map(tool => tool.functionName)];
  return `${client}\n__all__ = ${literal(all)}\n${tools.map(pythonFunction).join('')}`;
}

/** `read_file(path: str, offset: int | None = None) -> str`, for people and models. */
export function pythonSignature({ functionName, parameters }: OfferedTool): string {
  const list = parameters.map(one => `${one.name}: ${typeOf(one)}${one.isRequired ? '' : ' = None'}`);
  return `${functionName}(${list.join(', ')}) -> str`;
}

function pythonFunction(tool: OfferedTool): string {
  const { name, functionName, parameters, withheld } = tool;
  // Types stand in quotes: the module has to load in old versions too.
  const list = parameters.map(
    one => `${one.name}: ${literal(typeOf(one))}${one.isRequired ? '' : ' = None'}`,
  );
  // What is withheld is let through, so that the gateway can say why it is refused.
  if (withheld.length > 0) list.push('**others');
  const values = (isRequired: boolean): string[] =>
    parameters.flatMap(one => (one.isRequired === isRequired ? [`${literal(one.key)}: ${one.name}`] : []));
  const optional = [...values(false), ...(withheld.length > 0 ? ['**others'] : [])];
  return `

def ${functionName}(${list.join(', ')}) -> 'str':
    ${literal(docOf(tool))}
    return _call(${literal(name)}, {${values(true).join(', ')}}, {${optional.join(', ')}})
`;
}

function docOf({ description, parameters, withheld }: OfferedTool): string {
  const lines = parameters.flatMap(({ name, schema }) =>
    schema.description === undefined ? [] : [`${name}: ${schema.description}`],
  );
  if (withheld.length > 0) lines.push(`Not available inside a program: ${withheld.join(', ')}.`);
  return [description, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n');
}

function typeOf({ schema, isRequired }: Parameter): string {
  const type = pythonType(schema);
  return isRequired || type === 'None' || type.endsWith(' | None') ? type : `${type} | None`;
}

function pythonType(schema: Schema): string {
  if (schema.const !== undefined) return `Literal[${pythonValue(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(pythonValue).join(', ')}]`;
  if (schema.anyOf) return [...new Set(schema.anyOf.map(pythonType))].join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => pythonType({ ...schema, type })).join(' | ');
  }
  if (schema.type === 'array') return `list[${schema.items ? pythonType(schema.items) : 'object'}]`;
  return TYPES[String(schema.type)] ?? 'object';
}

function pythonValue(value: unknown): string {
  return value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : literal(value);
}

/** JSON of texts and lists of texts means the same in Python. */
function literal(value: unknown): string {
  return JSON.stringify(value);
}
