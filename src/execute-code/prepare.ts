// Puts a program into the sandbox: a private folder with its files and the two pipes of its wire, removed afterwards.
import { HermesError, isHermesError } from '../base/errors.ts';
import { shellQuote } from '../base/shell-quote.ts';
import type { ExecResult } from '../sandboxes/result.ts';
import type { ToolSandbox } from '../tools/tool.ts';
import type { Language, ProgramFiles } from './language.ts';

export type Prepared = Ready | { readonly kind: 'missing'; readonly notices: readonly string[] };

export interface Ready {
  readonly kind: 'ready';
  /** In the sandbox. */
  readonly folder: string;
  /** The path of the interpreter. */
  readonly program: string;
  /** About the sandbox, such as that it is a new one. */
  readonly notices: readonly string[];
}

const TIMEOUT_MS = 60_000;
// The script ends with these.
const NO_PROGRAM = 90;
const NO_FOLDER = 91;

/** Where the folder may be, the first that can be written to. */
const PLACES = '"${TMPDIR:-/tmp}" /tmp /var/tmp "$PWD"';

/** `missing`: the sandbox has nothing that runs the language. Throws SANDBOX_FILE_REFUSED, SANDBOX_GONE, or what `exec` throws. */
export async function prepare(
  sandbox: ToolSandbox,
  id: string,
  { language, files }: { language: Language; files: ProgramFiles },
): Promise<Prepared> {
  const texts = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text, 'utf8') }));
  const steps = texts.map(({ path, bytes }) => `receive ${bytes.length} ${shellQuote(path)}`);
  const script = `# execute_code: puts the program into the sandbox
${language.find}
[[ $program ]] || exit ${NO_PROGRAM}
umask 077
for place in ${PLACES}; do mkdir -- "$place/hermes-${id}" 2>/dev/null && break; done
cd -- "$place/hermes-${id}" 2>/dev/null || exit ${NO_FOLDER}
receive() {
  local text
  [[ $2 != */* ]] || mkdir -p "\${2%/*}" || exit
  LC_ALL=C IFS= read -r -N "$1" text && printf '%s' "$text" >"$2" || exit
}
mkfifo to-gateway from-gateway || exit
${steps.join('\n')}
printf '%s\\0%s' "$PWD" "$program"`;
  const stdin = Buffer.concat(texts.map(({ bytes }) => bytes));
  const result = await sandbox.exec(script, { persistent: true, stdin, timeoutMs: TIMEOUT_MS });
  const { notices } = result;
  if (result.exitCode === NO_PROGRAM) return { kind: 'missing', notices };
  const [folder, program] = result.stdout.split('\0');
  if (result.exitCode === 0 && folder && program) return { kind: 'ready', folder, program, notices };
  await removeFolder(sandbox, id);
  throw notPrepared(result);
}

/** Whatever is there of the program's folder. */
export async function removeFolder(sandbox: ToolSandbox, id: string): Promise<void> {
  const script = `for place in ${PLACES}; do rm -rf -- "$place/hermes-${id}"; done`;
  try {
    await sandbox.handle.exec(script, { persistent: true, stdin: '', timeoutMs: TIMEOUT_MS });
  } catch (error) {
    // Then it went with the sandbox.
    if (!isHermesError(error, 'SANDBOX_GONE')) throw error;
  }
}

function notPrepared({ outcome, exitCode, stderr }: ExecResult): HermesError {
  if (outcome === 'sandbox-lost') {
    return new HermesError('SANDBOX_GONE', 'The sandbox was lost before the program ran; it was not run.');
  }
  const reason = exitCode === NO_FOLDER ? 'no folder for it could be made' : stderr.trim() || outcome;
  const message = `The program could not be put into the sandbox, and was not run: ${reason}. Is its disk full?`;
  return new HermesError('SANDBOX_FILE_REFUSED', message, { details: { reason } });
}
