// The tool `send_file`: a file of the workspace to the chat, as bytes through the sandbox.
import { basename } from 'node:path/posix';
import { z } from 'zod';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import { sandboxPath } from './sandbox-path.ts';
import { defineTool, type Tool } from './tool.ts';

export interface SendParts {
  /** Reads a file for sending. Throws SANDBOX_FILE_REFUSED when it is too large or lies outside the workspace. */
  readonly sendableFile: (handle: SandboxHandle, path: string, mostBytes: number) => Promise<Uint8Array>;
}

const input = z.strictObject({
  path: z.string().min(1).describe('A file in the workspace.'),
  caption: z.string().max(1000).optional().describe('A few words that are shown with it.'),
});

export function sendFileTool({ sendableFile }: SendParts): Tool {
  return defineTool<z.infer<typeof input>>({
    name: 'send_file',
    description:
      'Sends a file of the workspace to the person in the chat: the only way to give them one. Returns a receipt, or why it was not sent.',
    input,
    insideCode: true,
    action: ({ path }) => ({ kind: 'send', path }),
    summary: ({ path }) => path,
    async run({ path, caption }, context) {
      const { sandbox, sendFile, mostFileBytes } = context;
      if (!sendFile)
        return { text: '', notes: ['No file can be sent here: there is no chat.'], isError: true };
      const { handle } = await sandbox();
      const bytes = await sendableFile(handle, await sandboxPath(handle, path, context), mostFileBytes);
      const receipt = await sendFile({
        name: basename(path),
        bytes,
        ...(caption === undefined ? {} : { caption }),
      });
      return { text: '', notes: [receipt] };
    },
  });
}
