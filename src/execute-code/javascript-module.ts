// The module `hermes_tools` for JavaScript: the client, and a function for each tool.
import { readFileSync } from 'node:fs';
import type { OfferedTool } from './offered-tools.ts';

/** Loaded before the program: `require` in an ES module, with the packages of the folder it is started in. */
const PRELUDE = "globalThis.require = require('node:module').createRequire(`${process.cwd()}/`);\n";
const PACKAGE = { name: 'hermes_tools', type: 'module', main: 'index.mjs', exports: './index.mjs' };

/** By their paths below the program's folder. */
export function javascriptModule(tools: readonly OfferedTool[]): Readonly<Record<string, string>> {
  const index = [
    "import { ToolError, toolMaker } from './client.mjs';",
    'const makeTool = toolMaker();',
    'export { ToolError };',
    ...tools.map(javascriptFunction),
  ];
  const client = readFileSync(new URL('./client/client.mjs', import.meta.url), 'utf8');
  return {
    'prelude.cjs': PRELUDE,
    'node_modules/hermes_tools/package.json': JSON.stringify(PACKAGE),
    'node_modules/hermes_tools/index.mjs': `${index.join('\n')}\n`,
    'node_modules/hermes_tools/client.mjs': client,
  };
}

function javascriptFunction({ name, functionName, parameters }: OfferedTool): string {
  const keys = parameters.map(({ key }) => key);
  return `export const ${functionName} = makeTool(${JSON.stringify(name)}, ${JSON.stringify(keys)});`;
}
