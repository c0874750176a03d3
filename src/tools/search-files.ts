// The tool `search_files`: content by regular expression, or names. The search runs inside the sandbox with find and grep
// alone, as every image has them, so that only what is found travels.
import { relative } from 'node:path/posix';
import { z } from 'zod';
import { shellQuote } from '../base/shell-quote.ts';
import { assertRan, IS_READABLE } from './file-failure.ts';
import { posixRegex } from './posix-regex.ts';
import { sandboxPath } from './sandbox-path.ts';
import { shownMatches } from './shown-matches.ts';
import { keptText } from './shown-output.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

export interface SearchParts {
  readonly redact: (text: string) => string | Promise<string>;
}

const LIMIT = 100;
const TIMEOUT_MS = 60_000;
const KEEP_BYTES = 2 * 1024 * 1024;
/** What others made and what nobody looks for; not skipped when the path itself leads there. */
const SKIPPED = ['.git', 'node_modules', '__pycache__', '.venv'];
const TROUBLE = 94;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'For content: a regular expression, matched within lines. For names: a part of the name, or a pattern with * and ?; with a / it is compared with the path.',
    ),
  target: z.enum(['content', 'names']).optional().describe('What is searched. Default content.'),
  path: z.string().min(1).optional().describe('Folder or file to search in. Default: the workspace.'),
  glob: z.string().min(1).optional().describe('For content: only files with such a name, such as *.py.'),
  ignore_case: z.boolean().optional().describe('Default false.'),
  context: z
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe('For content: lines shown before and after each match.'),
  limit: z.int().min(1).max(1000).optional().describe(`At most so many lines or names. Default ${LIMIT}.`),
});

type Input = z.infer<typeof input>;

export function searchFilesTool({ redact }: SearchParts): Tool {
  return defineTool<Input>({
    name: 'search_files',
    description: `Searches files of the sandbox: lines by regular expression (answers path:line:text), or files by name (answers paths). Skips binary files and the folders ${SKIPPED.join(', ')}; to search in one of them give it as path.`,
    input,
    insideCode: true,
    action: ({ pattern, target = 'content', path = '.' }) => ({ kind: 'search', path, pattern, target }),
    begins: () => 'never',
    summary: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    run: (given, context) =>
      given.target === 'names' ? names(given, context) : content(given, context, redact),
  });
}

async function content(
  given: Input,
  toolContext: ToolContext,
  redact: SearchParts['redact'],
): Promise<ToolOutcome> {
  const regex = posixRegex(given.pattern);
  if (regex.kind === 'unsupported')
    return { text: '', notes: [`The pattern is not supported: ${regex.reason}.`], isError: true };
  const { path = '.', glob, ignore_case, context = 0, limit = LIMIT } = given;
  const flags = `-nE${ignore_case ? 'i' : ''}${context > 0 ? ` -C ${context}` : ''}`;
  const only = glob === undefined ? '' : `-name ${shellQuote(glob)}`;
  const { lines, isMore, stderr } = await search(
    toolContext,
    { path, limit },
    `
# Some look at the pattern only when there is a line.
bad=$(echo | grep -E -e ${shellQuote(regex.text)} 2>&1 >/dev/null)
[[ -z $bad ]] || { printf '%s' "$bad" >&2; exit ${TROUBLE}; }
# Not every grep knows -I, which leaves binary files out.
binary=; grep -I x /dev/null 2>/dev/null; (($? == 1)) && binary=-I
find "$start" ${PRUNED} -type f ${only} -exec grep ${flags} -H $binary -e ${shellQuote(regex.text)} -- {} + 2>/dev/null`,
  );
  if (stderr !== undefined)
    return { text: '', notes: [`grep does not take the pattern: ${stderr}`], isError: true };
  const found = await shownMatches(lines, redact);
  return result(found, { isMore, limit, what: 'lines', path });
}

async function names(given: Input, context: ToolContext): Promise<ToolOutcome> {
  const { pattern, path = '.', ignore_case, limit = LIMIT } = given;
  const isGlob = /[*?[]/.test(pattern);
  const isPath = pattern.includes('/');
  const wanted = isPath
    ? `*${isGlob ? '/' : ''}${pattern.replace(/^\.?\//, '')}${isGlob ? '' : '*'}`
    : isGlob
      ? pattern
      : `*${pattern}*`;
  const test = `-${ignore_case ? 'i' : ''}${isPath ? 'path' : 'name'}`;
  const { lines, isMore } = await search(
    context,
    { path, limit },
    `find "$start" ${PRUNED} ${test} ${shellQuote(wanted)} -print 2>/dev/null`,
  );
  return result(lines.toSorted(), { isMore, limit, what: 'names', path });
}

const PRUNED = `\\( -type d \\( ${SKIPPED.map(name => `-name ${name}`).join(' -o ')} \\) ! -path "$start" -prune \\) -o "$@"`;

/** For the shell: what leaves these folders out, as they are called below the place. */
function leavingOut(closed: readonly string[], place: string): string {
  const below = closed
    .map(folder => relative(place, folder))
    .filter(path => path !== '' && !path.startsWith('..'));
  const words = below.map(path => `-path ${shellQuote(`./${path.replace(/[\\*?[]/g, '\\$&')}`)} -prune -o`);
  return `set -- ${words.join(' ')}`;
}

interface Place {
  readonly path: string;
  readonly limit: number;
}

interface Found {
  readonly lines: readonly string[];
  readonly isMore: boolean;
  /** Present when the search could not be made. */
  readonly stderr?: string;
}

/** Of a folder the paths that are found begin with it, as it was given. */
async function search(context: ToolContext, { path, limit }: Place, script: string): Promise<Found> {
  const { signal } = context;
  const { handle } = await context.sandbox();
  const place = await sandboxPath(handle, path, context);
  const done = await handle.exec(
    `p=${shellQuote(place)}
${IS_READABLE}
${leavingOut(context.closed ?? [], place)}
if [[ -d $p ]]; then cd -- "$p" || exit; start=.; else start=$p; fi
{ ${script}
} | head -n ${limit + 1}
(exit "\${PIPESTATUS[0]}")`,
    { timeoutMs: TIMEOUT_MS, keepBytes: KEEP_BYTES, signal },
  );
  signal.throwIfAborted();
  if (done.outcome === 'exited' && done.exitCode === TROUBLE)
    return { lines: [], isMore: false, stderr: done.stderr.trim() };
  // find says 1 when grep found nothing, and is ended by SIGPIPE when enough was found.
  assertRan(path, done, [0, 1, 123, 141]);
  const prefix = path === '.' ? '' : `${path.replace(/(.)\/+$/, '$1')}/`.replace(/^\/\/$/, '/');
  // Lines that a cut goes through could show half a secret.
  const text = done.truncated
    ? keptText({ bytes: done.stdoutBytes, total: done.stdoutTotal }, KEEP_BYTES)
    : done.stdout;
  const lines = text.split('\n').filter(line => line !== '');
  const shown = lines.slice(0, limit).map(line => (line.startsWith('./') ? prefix + line.slice(2) : line));
  return { lines: shown, isMore: lines.length > limit };
}

function result(
  lines: readonly string[],
  { isMore, limit, what, path }: { isMore: boolean; limit: number; what: string; path: string },
): ToolOutcome {
  if (lines.length === 0)
    return { text: '', notes: [`Nothing was found in ${path === '.' ? 'the workspace' : path}.`] };
  const more = `There are more than ${limit} ${what}; narrow the search, or raise limit.`;
  return { text: lines.join('\n'), notes: isMore ? [more] : [] };
}
