// The tool `list_files`: what is in one folder.
import { z } from 'zod';
import type { ListedFile } from '../sandboxes/files.ts';
import { sandboxPath } from './sandbox-path.ts';
import { defineTool, type Tool } from './tool.ts';

const SHOWN = 500;

const input = z.strictObject({
  path: z.string().min(1).optional().describe('The folder. Default: the workspace.'),
});

export const listFilesTool: Tool = defineTool<z.infer<typeof input>>({
  name: 'list_files',
  description:
    'Lists a folder of the sandbox, hidden files too: size in bytes, time of the last change (UTC) and name, folders with a / at the end. To find files deeper down use search_files with target names.',
  input,
  insideCode: true,
  action: ({ path = '.' }) => ({ kind: 'list', path }),
  begins: () => 'never',
  summary: ({ path = '.' }) => path,
  async run({ path = '.' }, context) {
    const { handle } = await context.sandbox();
    const files = await handle.listFiles(await sandboxPath(handle, path, context));
    if (files.length === 0) return { text: '', notes: [`${path} is empty.`] };
    const shown = files.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, SHOWN);
    const notes = files.length > SHOWN ? [`The first ${SHOWN} of ${files.length} are shown.`] : [];
    return { text: shown.map(lineOf).join('\n'), notes };
  },
});

function lineOf({ name, type, size, modifiedMs }: ListedFile): string {
  const time = new Date(modifiedMs).toISOString().slice(0, 16).replace('T', ' ');
  const sign = { file: '', folder: '/', link: ' (link)', other: ' (no file)' }[type];
  return `${String(type === 'folder' ? '-' : size).padStart(10)}  ${time}  ${printable(name)}${sign}`;
}

/** A name may hold a line break and look like two. */
function printable(name: string): string {
  return /[\p{Cc}]/u.test(name) ? JSON.stringify(name) : name;
}
