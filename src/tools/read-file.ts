// The tool `read_file`: lines of a text file with their numbers. What surrounds a range is redacted with it, because a key
// is recognised by its whole shape (P7).
import { z } from 'zod';
import { type FileWindow, fileWindow, type Range } from './file-window.ts';
import { fitting, inRange, numberedLines, render } from './numbered-lines.ts';
import { sandboxPath } from './sandbox-path.ts';
import { defineTool, type Tool, type ToolOutcome } from './tool.ts';

export interface ReadFileParts {
  readonly redact: (text: string) => string | Promise<string>;
}

const LINES = 2000;
const MOST_LINES = 10_000;
/** Of the numbered lines; leaves room for the notes in what a model is given. */
const SHOWN_BYTES = 45_000;

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, relative to the workspace, or beginning with ~/.'),
  offset: z.int().min(1).optional().describe('First line, counted from 1. Default 1.'),
  limit: z.int().min(1).max(MOST_LINES).optional().describe(`How many lines. Default ${LINES}.`),
});

export function readFileTool({ redact }: ReadFileParts): Tool {
  return defineTool<z.infer<typeof input>>({
    name: 'read_file',
    description:
      'Reads a text file of the sandbox: each line with its number and a tab before it, which are not part of the file. For a long file give offset and limit. Of binary files it says only what they are. Secrets appear as [redacted:…]; do not write such marks back.',
    input,
    insideCode: true,
    action: ({ path }) => ({ kind: 'read', path }),
    begins: () => 'never',
    summary: ({ path, offset }) => (offset === undefined ? path : `${path} from line ${offset}`),
    async run({ path, offset = 1, limit = LINES }, context) {
      const { handle } = await context.sandbox();
      const window = await fileWindow(handle, await sandboxPath(handle, path, context), { offset, limit });
      if (window.isBinary)
        return { text: '', notes: [`${path} is a binary file of ${window.size} bytes; it is not shown.`] };
      return shown(path, window, { offset, limit }, redact);
    },
  });
}

async function shown(
  path: string,
  window: FileWindow,
  { offset, limit }: Range,
  redact: ReadFileParts['redact'],
): Promise<ToolOutcome> {
  const { size, lines, first, text } = window;
  if (size === 0) return { text: '', notes: [`${path} is empty.`] };
  if (offset > lines)
    return {
      text: '',
      notes: [`${path} has ${lines} lines; there is none from ${offset} on.`],
      isError: true,
    };
  const plain = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const all = numberedLines(plain.split('\n'), (await redact(plain)).split('\n'), first);
  const wanted = fitting(inRange(all, offset, limit), SHOWN_BYTES);
  const last = wanted.at(-1)?.number ?? offset;
  return {
    text: wanted.map(render).join('\n'),
    notes: [
      ...(text.includes('\r\n') ? ['Its lines end with CR LF.'] : []),
      ...(text.includes('�') ? ['Bytes that are no UTF-8 are shown as �.'] : []),
      ...(offset > 1 || last < lines
        ? [`Lines ${offset} to ${last} of ${lines}.${last < lines ? ` Go on with offset ${last + 1}.` : ''}`]
        : []),
    ],
  };
}
