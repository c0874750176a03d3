import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';
import { javascriptModule } from './javascript-module.ts';
import { offeredTools } from './offered-tools.ts';
import { pythonModule, pythonSignature } from './python-module.ts';

function tool(name: string, input: z.ZodType, extra: Partial<Tool> = {}): Tool {
  return defineTool<unknown>({
    ...{ name, input, description: `Does ${name}.`, insideCode: true },
    summary: () => '',
    run: async () => ({ text: '' }),
    ...extra,
  });
}

function signatureOf(input: z.ZodType): string | undefined {
  const [offered] = offeredTools([tool('t', input)]);
  return offered && pythonSignature(offered);
}

describe('signatures', () => {
  it('have types and defaults of the schema, what is required first', () => {
    const input = z.object({
      depth: z.int().optional(),
      path: z.string(),
      kind: z.enum(['file', 'folder']).default('file'),
      names: z.array(z.string()).optional(),
      size: z.number().nullable(),
      whole: z.boolean().optional(),
      extra: z.record(z.string(), z.string()).optional(),
    });
    expect(signatureOf(input)).toBe(
      't(path: str, size: float | None, depth: int | None = None, kind: Literal["file", "folder"] | None = None, names: list[str] | None = None, whole: bool | None = None, extra: dict | None = None) -> str',
    );
  });

  it('have names that are names, and tell the tool its own', () => {
    const input = z.object({ from: z.string(), 'a-b': z.string(), a_b: z.string(), '2nd': z.string() });
    const offered = offeredTools([tool('do-it', input), tool('do_it', input), tool('class', input)]);
    expect(offered.map(pythonSignature)).toEqual([
      'do_it(from_: str, a_b: str, a_b_2: str, x2nd: str) -> str',
      'do_it_2(from_: str, a_b: str, a_b_2: str, x2nd: str) -> str',
      'class_(from_: str, a_b: str, a_b_2: str, x2nd: str) -> str',
    ]);
    expect(pythonModule(offered)).toContain(
      'return _call("do-it", {"from": from_, "a-b": a_b, "a_b": a_b_2, "2nd": x2nd}, {})',
    );
    expect(javascriptModule(offered)['node_modules/hermes_tools/index.mjs']).toContain(
      'export const do_it = makeTool("do-it", ["from","a-b","a_b","2nd"]);',
    );
  });

  it('leave the text of descriptions no way out of the docstring', () => {
    const evil = '""" \\" \n"\nimport os\n';
    const module = pythonModule(offeredTools([tool('t', z.object({}), { description: evil })]));
    expect(module).toContain(`\n    ${JSON.stringify(evil)}\n    return _call("t", {}, {})\n`);
  });
});

describe('what is offered', () => {
  const input = z.strictObject({ command: z.string(), background: z.boolean().optional() });
  const inside = tool('terminal', input, { inputInsideCode: input.omit({ background: true }) });

  it('is only what programs may call', () => {
    expect(offeredTools([tool('a', input, { insideCode: false })])).toEqual([]);
  });

  it('refuses what is withheld or unknown, and leaves the rest to the door', () => {
    const [terminal] = offeredTools([inside]);
    expect(terminal?.withheld).toEqual(['background']);
    expect(terminal?.refusal('{"command":"ls","background":true}')).toContain('background is not available');
    expect(terminal?.refusal('{"command":"ls","pty":false}')).toContain('takes no pty inside a program');
    expect(terminal?.refusal('{"command":"ls"}')).toBeUndefined();
    expect(terminal?.refusal('no json')).toBeUndefined();
    expect(terminal?.refusal('[1]')).toBeUndefined();
  });
});
