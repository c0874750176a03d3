// The tool `read_file`: lines of a text file with their numbers. The range is cut inside the sandbox, so that a file of any
// size costs only what is looked at; what surrounds it comes along, because a key is recognised by its whole shape (P7).
import { z } from 'zod';
import { shellQuote } from '../base/shell-quote.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import { assertRan, IS_READABLE_FILE } from './file-failure.ts';
import { fitting, inRange, numberedLines, render } from './numbered-lines.ts';
import { sandboxPath } from './sandbox-path.ts';
import { wholeLines } from './shown-output.ts';
import { defineTool, type Tool, type ToolOutcome } from './tool.ts';

export interface ReadFileParts {
  readonly redact: (text: string) => string;
}

const LINES = 2000;
const MOST_LINES = 10_000;
/** Lines before and after the range; more than the longest key has. */
const AROUND = 400;
const WINDOW_BYTES = 1024 * 1024;
/** Of the numbered lines; leaves room for the notes in what a model is given. */
const SHOWN_BYTES = 45_000;
const LOOKED_AT = 8192;
const TIMEOUT_MS = 60_000;

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
    summary: ({ path, offset }) => (offset === undefined ? path : `${path} from line ${offset}`),
    async run({ path, offset = 1, limit = LINES }, context) {
      const { handle } = await context.sandbox();
      const window = await look(handle, await sandboxPath(handle, path), { offset, limit });
      if (window.isBinary)
        return { text: '', notes: [`${path} is a binary file of ${window.size} bytes; it is not shown.`] };
      return shown(path, window, { offset, limit }, redact);
    },
  });
}

interface Range {
  readonly offset: number;
  readonly limit: number;
}

interface Window {
  readonly size: number;
  readonly lines: number;
  readonly isBinary: boolean;
  /** Number of the first line of `text`. */
  readonly first: number;
  readonly text: string;
}

async function look(handle: SandboxHandle, path: string, { offset, limit }: Range): Promise<Window> {
  const first = Math.max(1, offset - AROUND);
  const result = await handle.exec(
    `p=${shellQuote(path)}
${IS_READABLE_FILE}
size=$(wc -c <"$p") lines=$(wc -l <"$p")
((size == 0 || $(tail -c 1 -- "$p" | wc -l))) || ((lines += 1))
binary=$(head -c ${LOOKED_AT} -- "$p" | tr -dc '\\000' | wc -c)
printf '%s %s %s\\n' $((size)) $((lines)) $((binary))
((binary > 0)) || tail -n +${first} -- "$p" | head -n ${offset - first + limit + AROUND} | head -c ${WINDOW_BYTES}
:`,
    { timeoutMs: TIMEOUT_MS, keepBytes: WINDOW_BYTES * 4 },
  );
  assertRan(path, result);
  const head = result.stdout.indexOf('\n');
  const [size = 0, lines = 0, binary = 0] = result.stdout.slice(0, head).split(' ').map(Number);
  const text = result.stdout.slice(head + 1);
  const isCut = result.stdoutTotal - head - 1 >= WINDOW_BYTES;
  return { size, lines, isBinary: binary > 0, first, text: isCut ? wholeLines(text, 'first') : text };
}

function shown(
  path: string,
  window: Window,
  { offset, limit }: Range,
  redact: (text: string) => string,
): ToolOutcome {
  const { size, lines, first, text } = window;
  if (size === 0) return { text: '', notes: [`${path} is empty.`] };
  if (offset > lines)
    return {
      text: '',
      notes: [`${path} has ${lines} lines; there is none from ${offset} on.`],
      isError: true,
    };
  const plain = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const all = numberedLines(plain.split('\n'), redact(plain).split('\n'), first);
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
