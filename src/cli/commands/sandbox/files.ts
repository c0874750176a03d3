// hermes sandbox files: what is in a sandbox.
import { resolve } from 'node:path/posix';
import type { ListedFile } from '../../../sandboxes/files.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { plainLine, timeText } from '../wording.ts';
import { sandboxArgument, visit, visitFlags } from './visit-flags.ts';

export const sandboxFiles = defineCommand({
  doc: 'Lists the files of a folder in a sandbox, through the sandbox itself. Links are shown, not followed.',
  flags: visitFlags,
  args: [
    sandboxArgument,
    { name: 'path', doc: 'a folder or file in it; else where its commands start', optional: true },
  ],
  examples: [
    ['sandbox files k3v9', 'its workspace'],
    ['sandbox files k3v9 /tmp', 'another folder'],
    ['sandbox files k3v9 --wake', 'also when it is suspended'],
  ],
  run({ flags, args }, context) {
    const { id, path = '.' } = args;
    return visit(
      context,
      { id, wake: flags.wake, action: 'files', subject: path, judged: { kind: 'list', path } },
      async ({ handle, redact, path: judged = path }) => {
        const where = resolve(handle.workdir, judged);
        const info = await handle.stat(where);
        // A link to a folder is listed as that folder is.
        const isFile = info.type === 'file' || info.type === 'other';
        const files = isFile ? [{ name: where, ...info }] : await handle.listFiles(where);
        // Names come out of the sandbox, where secrets may have been forwarded (P7).
        const shown = files.map(file => ({ ...file, name: redact(file.name) }));
        return { sandbox: handle.ref.id, path: redact(where), files: shown };
      },
    );
  },
  render: renderFiles,
});

const MARKS: Readonly<Record<ListedFile['type'], string>> = { file: '', folder: '/', link: '@', other: '?' };

function renderFiles(
  { path, files }: { readonly path: string; readonly files: readonly ListedFile[] },
  look: Look,
): string {
  if (files.length === 0) return `${plainLine(path)} is empty.`;
  const rows = files.map(({ name, type, size, mode, modifiedMs }) => [
    plainLine(name) + MARKS[type],
    type === 'folder' ? '' : String(size),
    mode.toString(8).padStart(4, '0'),
    timeText(modifiedMs),
  ]);
  return renderTable([plainLine(path), 'bytes', 'mode', 'changed'], rows, look);
}
