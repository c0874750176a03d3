// What models and programs are told about tools. Pure.
import { z } from 'zod';
import type { ToolSpec } from '../providers/provider.ts';
import type { Tool } from './tool.ts';

/** `program`: for execute_code, whose programs may call some of them, and some with less. */
export type Caller = 'model' | 'program';

export function toolSpecs(tools: readonly Tool[], caller: Caller): readonly ToolSpec[] {
  return tools
    .filter(({ insideCode }) => caller === 'model' || insideCode)
    .map(tool => {
      const { $schema: _, ...parameters } = z.toJSONSchema(inputOf(tool, caller), { io: 'input' });
      return { name: tool.name, description: tool.description, parameters };
    });
}

export function inputOf({ input, inputInsideCode }: Tool, caller: Caller): z.ZodType {
  return caller === 'program' ? (inputInsideCode ?? input) : input;
}
