// The tool `edit_file`: replaces exact text. Bytes that are not replaced stay as they are, whatever their encoding.
import { z } from 'zod';
import type { Turns } from '../base/turns.ts';
import { fileHead } from './file-window.ts';
import { nearMisses } from './near-misses.ts';
import { hasMark, MARK_REFUSED } from './redaction-mark.ts';
import { sandboxPath } from './sandbox-path.ts';
import { defineTool, type Tool, type ToolOutcome } from './tool.ts';

export interface EditParts {
  readonly turns: Turns;
}

/** What larger ones need is a program. */
const LARGEST = 10 * 1024 * 1024;
const LISTED = 10;
const SHOWN_LINES = 12;

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, relative to the workspace, or beginning with ~/.'),
  old_text: z
    .string()
    .min(1)
    .describe(
      'The text to replace, exactly as in the file with all its spaces, without the line numbers of read_file.',
    ),
  new_text: z.string().describe('What stands there instead; empty deletes it.'),
  replace_all: z.boolean().optional().describe('Replace every place; else the text must occur exactly once.'),
});

type Input = z.infer<typeof input>;

export function editFileTool({ turns }: EditParts): Tool {
  return defineTool<Input>({
    name: 'edit_file',
    description:
      'Replaces text in a file of the sandbox. old_text must occur exactly once, so include enough of the lines around it, or set replace_all. When it does not occur, the answer shows places that look like it, and nothing is changed.',
    input,
    insideCode: true,
    action: ({ path, old_text, new_text, replace_all }) => ({
      kind: 'write',
      path,
      text: `replace${replace_all ? ' everywhere' : ''}:\n${old_text}\nby:\n${new_text}`,
    }),
    summary: ({ path, replace_all }) => (replace_all ? `${path}, everywhere` : path),
    async run(given, context) {
      const { handle, sandboxId } = await context.sandbox();
      const path = await sandboxPath(handle, given.path, context);
      return turns.in(`${sandboxId} ${path}`, async () => {
        const file = Buffer.from(await fileHead(handle, path, LARGEST + 1));
        if (file.length > LARGEST) return tooLarge(given).outcome;
        const edited = edit(file, given);
        if ('outcome' in edited) return edited.outcome;
        await handle.writeFile(path, edited.bytes);
        return { text: '', notes: [edited.note] };
      });
    },
  });
}

type Edited = { readonly bytes: Buffer; readonly note: string } | { readonly outcome: ToolOutcome };

function edit(file: Buffer, given: Input): Edited {
  const { path, replace_all } = given;
  if (given.old_text === given.new_text)
    return failed(`Nothing was changed in ${path}: both texts are the same.`);
  if (hasMark(given.new_text) && !file.includes(given.new_text)) return failed(MARK_REFUSED);
  const { wanted, by } = asInFile(file, given);
  const places = placesOf(file, wanted);
  if (places.length === 0) return noMatch(file, given);
  if (places.length > 1 && !replace_all) return severalMatches(file, places, given);
  const bytes = replaced(file, places, wanted.length, by);
  const lines = places.slice(0, LISTED).map(at => lineAt(file, at));
  const where = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`;
  const count = places.length === 1 ? 'one place' : `${places.length} places`;
  return {
    bytes,
    note: `Replaced ${count} in ${path}, at ${where}${places.length > LISTED ? ' and more' : ''}.`,
  };
}

/** A model sees and writes lines without CR; in a file whose lines end with CR LF they are meant so. */
function asInFile(file: Buffer, { old_text, new_text }: Input): { wanted: Buffer; by: Buffer } {
  const asCrLf = (text: string): Buffer => Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'));
  const isCrLf = file.includes('\r\n');
  const wanted = Buffer.from(old_text);
  return {
    wanted: isCrLf && !file.includes(wanted) ? asCrLf(old_text) : wanted,
    by: isCrLf ? asCrLf(new_text) : Buffer.from(new_text),
  };
}

function placesOf(file: Buffer, wanted: Buffer): number[] {
  const places: number[] = [];
  for (let at = file.indexOf(wanted); at >= 0; at = file.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function replaced(file: Buffer, places: readonly number[], length: number, by: Buffer): Buffer {
  const pieces = places.flatMap((at, index) => [
    file.subarray(index === 0 ? 0 : (places[index - 1] ?? 0) + length, at),
    by,
  ]);
  return Buffer.concat([...pieces, file.subarray((places.at(-1) ?? 0) + length)]);
}

function noMatch(file: Buffer, { path, old_text }: Input): Edited {
  const found = nearMisses(file.toString('utf8').replaceAll('\r\n', '\n'), old_text);
  const hint = hasMark(old_text)
    ? ' A [redacted:…] mark never matches; choose text beside the hidden value.'
    : '';
  const say = found.length === 0 ? ' Nothing in it looks like it.' : ' These places look like it:';
  return failed(
    `Nothing was changed: old_text does not occur in ${path}.${hint}${say}`,
    found.map(
      ({ line, text, why }) =>
        `line ${line} (${why === 'similar' ? 'similar' : 'other white space'}):\n${few(text)}`,
    ),
  );
}

function severalMatches(file: Buffer, places: readonly number[], { path }: Input): Edited {
  const lines = file.toString('utf8').split('\n');
  const shown = places.slice(0, LISTED).map(at => {
    const line = lineAt(file, at);
    return `line ${line}: ${lines[line - 1]?.trimEnd() ?? ''}`;
  });
  const say = 'Include more of the lines around the one you mean, or set replace_all.';
  return failed(`Nothing was changed: old_text occurs ${places.length} times in ${path}. ${say}`, shown);
}

function tooLarge({ path }: Input): { readonly outcome: ToolOutcome } {
  return failed(
    `Nothing was changed: ${path} is larger than ${LARGEST} bytes. Change it with a command such as sed.`,
  );
}

function failed(note: string, shown: readonly string[] = []): { readonly outcome: ToolOutcome } {
  return { outcome: { text: shown.join('\n'), notes: [note], isError: true } };
}

function few(text: string): string {
  const lines = text.split('\n');
  return lines.length > SHOWN_LINES ? `${lines.slice(0, SHOWN_LINES).join('\n')}\n…` : text;
}

function lineAt(file: Buffer, at: number): number {
  let lines = 1;
  for (let from = file.indexOf(10); from >= 0 && from < at; from = file.indexOf(10, from + 1)) lines++;
  return lines;
}
