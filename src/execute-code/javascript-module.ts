// The module `hermes_tools` for JavaScript: the client, and a function for each tool.
import { readFileSync } from 'node:fs';
import type { OfferedTool } from './offered-tools.ts';

/** By their paths below the program's folder. */
export function javascriptModule(tools: readonly OfferedTool[]): Readonly<Record<string, string>> {
  const index = [
    "const { ToolError, makeTool } = require('./client.cjs');",
    'exports.ToolError = ToolError;',
    ...tools.map(javascriptFunction),
  ];
  return {
    'prelude.cjs': readClient('prelude.cjs'),
    'node_modules/hermes_tools/package.json': '{"name":"hermes_tools","main":"index.cjs"}',
    'node_modules/hermes_tools/index.cjs': `${index.join('\n')}\n`,
    'node_modules/hermes_tools/client.cjs': readClient('client.cjs'),
  };
}

function javascriptFunction({ name, functionName, parameters }: OfferedTool): string {
  const keys = parameters.map(({ key }) => key);
  // Written out, because imports by name are found by reading the text.
  return `exports.${functionName} = makeTool(${JSON.stringify(name)}, ${JSON.stringify(keys)});`;
}

function readClient(name: string): string {
  return readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8');
}
