// Looks at the files that a command would run as programs, in the sandbox, before anybody decides about it.
import { createHash } from 'node:crypto';
import { normalize, resolve } from 'node:path/posix';
import { shellQuote } from '../base/shell-quote.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import { filesRun, type RunFile } from './script-files.ts';

export type ScriptFile =
  | {
      readonly kind: 'text';
      /** As the command has it. */
      readonly path: string;
      readonly realPath: string;
      readonly language: string;
      /** The beginning; a file of programs that are no text has a NUL in it. */
      readonly text: string;
      readonly size: number;
      /** SHA-256 of the whole content, also of what `text` leaves out. An approval is bound to it. */
      readonly digest: string;
      /** Made or changed since the conversation began. Decides what is asked, never whether an approval still holds. */
      readonly isNew: boolean;
    }
  /** Nobody can tell what it says; `why` ends a sentence. */
  | { readonly kind: 'unseen'; readonly path: string; readonly why: string };

export interface LookAtScripts {
  /** Where the command starts; absolute. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** How long the conversation has lasted. */
  readonly sinceMs: number;
}

/** Of one file; a little less than what is taken apart at most. */
const LOOKED_AT = 60 * 1024;
const MOST_FILES = 8;
/** The clocks of the sandbox and of the store need not tick together. */
const SLACK_SECONDS = 2;
/** What the system brings; who changes it has been asked. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib\w*|nix|snap)\//;

/** Of scripts of a shell also those that they run in turn. */
export async function lookAtScripts(
  handle: SandboxHandle,
  command: string,
  options: LookAtScripts,
): Promise<readonly ScriptFile[]> {
  const found = new Map<string, ScriptFile>();
  const waiting = [...filesRun(command)];
  for (let file = waiting.shift(); file; file = waiting.shift()) {
    if (found.has(file.path)) continue;
    if (found.size === MOST_FILES) {
      found.set('…', unseen('…', `there are more than ${MOST_FILES}`));
      break;
    }
    const looked = await lookAt(handle, file, options);
    if (!looked) continue;
    found.set(file.path, looked);
    if (looked.kind === 'text' && looked.language === 'shell') waiting.push(...filesRun(looked.text));
  }
  return [...found.values()];
}

/** Whether the same content would run. Times do not count. */
export function areSame(some: readonly ScriptFile[], others: readonly ScriptFile[]): boolean {
  return JSON.stringify(some.map(contentOf)) === JSON.stringify(others.map(contentOf));
}

function contentOf(file: ScriptFile): readonly string[] {
  return file.kind === 'text'
    ? [file.kind, file.path, file.realPath, file.language, file.digest]
    : [file.kind, file.path, file.why];
}

/** Undefined when there is nothing to see that matters. */
async function lookAt(
  handle: SandboxHandle,
  { path, language, rules, state }: RunFile,
  { folder, signal, sinceMs }: LookAtScripts,
): Promise<ScriptFile | undefined> {
  if (state === 'untold') return unseen(path, 'which one it is shows only when the command runs');
  if (state === 'written') return unseen(path, 'the command itself writes it');
  if (SYSTEM.test(path)) return undefined;
  const { exitCode, stdoutBytes } = await handle.exec(scriptFor(path, folder), {
    ...{ signal, timeoutMs: TIMEOUT_MS, keepBytes: LOOKED_AT * 4 },
  });
  signal.throwIfAborted();
  if (exitCode === MISSING) return state === 'perhaps' ? undefined : unseen(path, 'it is not there yet');
  if (exitCode === UNHASHED) return unseen(path, 'it is long, and its content cannot be hashed there');
  if (exitCode !== 0) return unseen(path, 'it cannot be read');
  const bytes = Buffer.from(stdoutBytes);
  const nameEnd = bytes.indexOf(0);
  const factsEnd = bytes.indexOf(0, nameEnd + 1);
  const realPath = bytes.toString('utf8', 0, nameEnd);
  if (SYSTEM.test(realPath)) return undefined;
  const facts = bytes.toString('utf8', nameEnd + 1, factsEnd).split(' ');
  const [size = 0, changedAt = 0, now = 0] = facts.map(Number);
  const content = bytes.subarray(factsEnd + 1);
  const text = content.toString('utf8');
  const digest = createHash('sha256')
    .update(facts[3] ?? '')
    .update(content)
    .digest('hex');
  return {
    ...{ kind: 'text', path, realPath, text, size, digest },
    language: rules ? 'rules' : (language ?? languageOf(text)),
    isNew: now - changedAt <= sinceMs / 1000 + SLACK_SECONDS,
  };
}

const TIMEOUT_MS = 30_000;
const MISSING = 90;
const UNHASHED = 91;

function scriptFor(path: string, folder: string): string {
  const place = path.startsWith('~')
    ? `"$HOME"/${shellQuote(normalize(path.replace(/^~[^/]*\/?/, './')))}`
    : shellQuote(resolve(folder, path));
  return `p=${place}
[[ -e $p ]] || exit ${MISSING}
[[ -f $p && -r $p ]] || exit 1
r=$(readlink -f -- "$p" && printf x) || exit 1
r=\${r%$'\\n'x}
facts=$(stat -c '%s %Z' -- "$r" 2>/dev/null || stat -f '%z %c' -- "$r") || exit 1
hash=
if ((\${facts%% *} > ${LOOKED_AT})); then
  hash=$({ sha256sum || shasum -a 256 || openssl dgst -sha256 -r; } 2>/dev/null <"$r") && [[ $hash ]] || exit ${UNHASHED}
fi
printf '%s\\0%s %s %s\\0' "$r" "$facts" "$(date +%s)" "\${hash%% *}"
exec head -c ${LOOKED_AT} -- "$r"`;
}

/** By the first line; a shell takes what says nothing for its own. */
function languageOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  if (!first.startsWith('#!')) return 'shell';
  if (/python/.test(first)) return 'python';
  return /node|deno|bun/.test(first) ? 'javascript' : (/perl|ruby|php|lua/.exec(first)?.[0] ?? 'shell');
}

function unseen(path: string, why: string): ScriptFile {
  return { kind: 'unseen', path, why };
}
