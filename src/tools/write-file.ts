// The tool `write_file`: a whole file, made or replaced.
import { z } from 'zod';
import { isHermesError } from '../base/errors.ts';
import type { Turns } from '../base/turns.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import { hasMark, MARK_REFUSED } from './redaction-mark.ts';
import { sandboxPath } from './sandbox-path.ts';
import { defineTool, type Tool } from './tool.ts';

export interface WriteParts {
  /** Two calls may want the same file at the same time. */
  readonly turns: Turns;
}

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .describe('Absolute, relative to the workspace, or beginning with ~/. Missing folders are made.'),
  content: z.string().describe('The whole text of the file, without line numbers.'),
});

export function writeFileTool({ turns }: WriteParts): Tool {
  return defineTool<z.infer<typeof input>>({
    name: 'write_file',
    description:
      'Writes a text file in the sandbox; what was in it before is replaced, and its permissions stay. To change a part of a file use edit_file.',
    input,
    insideCode: true,
    action: ({ path, content }) => ({ kind: 'write', path, text: content }),
    summary: ({ path }) => path,
    async run({ path, content }, context) {
      const { handle, sandboxId } = await context.sandbox();
      const place = await sandboxPath(handle, path, context);
      return turns.in(`${sandboxId} ${place}`, async () => {
        if (hasMark(content) && (await exists(handle, place)))
          return { text: '', notes: [MARK_REFUSED], isError: true };
        await handle.writeFile(place, content);
        const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
        return {
          text: '',
          notes: [`Wrote ${Buffer.byteLength(content)} bytes, ${lines} lines, to ${path}.`],
        };
      });
    },
  });
}

async function exists(handle: SandboxHandle, path: string): Promise<boolean> {
  try {
    await handle.stat(path);
    return true;
  } catch (error) {
    if (isHermesError(error, 'SANDBOX_FILE_MISSING')) return false;
    throw error;
  }
}
