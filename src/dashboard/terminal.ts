// The terminal of a page: a line at a time in the sandbox of a session. Each line has a shell of its own, which starts in the
// folder where the last one ended; so it never meets the shell that the agent uses.
import { randomBytes } from 'node:crypto';
import type { Deed } from '../agent/deed.ts';
import { HermesError } from '../base/errors.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import type { ExecResult } from '../sandboxes/result.ts';
import type { SandboxPolicy } from '../sessions/policy.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { ToolSandbox } from '../tools/tool.ts';
import type { PagePerform } from './call-command.ts';

export interface TerminalParts {
  readonly world: SandboxWorld;
  readonly perform: PagePerform;
  readonly redactor: Redactor;
}

export interface TerminalLine {
  readonly sandbox: string;
  readonly command: string;
  /** Absent = where commands start. */
  readonly cwd?: string;
  readonly actor: string;
  readonly signal: AbortSignal;
  /** No more comes until it has resolved. */
  readonly onOutput: (text: string) => Promise<void>;
}

export interface LineEnd {
  /** The sandbox it has run in; another one when that was made anew. */
  readonly sandbox: string;
  readonly outcome: ExecResult['outcome'];
  readonly code: number | null;
  readonly cwd: string;
}

const TIMEOUT_MS = 10 * 60_000;

/** Throws DENIED_PERSON on this machine itself, and what stands in the way of the sandbox. */
export async function runLine(parts: TerminalParts, line: TerminalLine): Promise<LineEnd> {
  const { world, perform } = parts;
  const { sandbox, command, actor, signal } = line;
  const entry = await world.store.ledger.find(sandbox);
  if (!entry || entry.state === 'gone' || entry.sessionId === null)
    throw new HermesError('SANDBOX_GONE', `The sandbox ${sandbox} is gone, or no session’s.`);
  refuseHost(entry);
  const session = await world.store.sessions.find(entry.sessionId);
  if (!session) throw new HermesError('SANDBOX_GONE', `The session of the sandbox ${sandbox} is gone.`);
  const deed: Deed<LineEnd> = {
    ...{ name: 'terminal of the page', subject: command },
    action: { kind: 'command', command, folder: line.cwd ?? '.' },
    async work({ handle, sandboxId }) {
      const { outcome, code, cwd } = await performLine(handle, parts, line);
      await world.store.audit.append({
        ...{ actor, sessionId: session.id, sandboxId, action: 'command', subject: command },
        outcome: code === null ? outcome : `${outcome} ${code}`,
      });
      return { sandbox: sandboxId, outcome, code, cwd };
    },
  };
  return perform(session, deed, { person: actor, signal });
}

/** A page in a browser is no place for a shell of this machine. */
function refuseHost({ policy, backend }: LedgerEntry): void {
  const { isolation } = policy as SandboxPolicy; // as SandboxLife wrote it
  if (isolation !== 'none' && isolation !== 'remote') return;
  throw new HermesError(
    'DENIED_PERSON',
    `Commands on ${backend} are not contained, so the page has no terminal there. Use a terminal of that machine, or \`!\` in the chat, where dangerous commands are asked about.`,
  );
}

async function performLine(handle: ToolSandbox['handle'], { redactor }: TerminalParts, line: TerminalLine) {
  const { command, cwd = handle.workdir, signal, onOutput } = line;
  const mark = `hermes-${randomBytes(16).toString('hex')}:`;
  const folder = new FolderMark(mark);
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const hidden = redactor.longStream();
  const print = async (shown: Promise<string>): Promise<void> => {
    const text = await shown;
    if (text !== '') await onOutput(text);
  };
  const result = await handle.exec(
    `${command}\nhermes_code=$?; printf '%s%s\\n' '${mark}' "$PWD"; exit $hermes_code`,
    {
      ...{ cwd, signal, timeoutMs: TIMEOUT_MS, keepBytes: 0 },
      onOutput: ({ stream, data }) => {
        const text = decoders[stream].decode(data, { stream: true });
        return print(hidden.push(stream === 'stdout' ? folder.take(text) : text));
      },
    },
  );
  await print(hidden.push(folder.rest()));
  await print(hidden.flush());
  return { outcome: result.outcome, code: result.exitCode ?? null, cwd: folder.found ?? cwd };
}

/** The mark and the longest path that Linux knows. */
const LONGEST_PLACE = 8 * 1024;

/** Takes the last line out of the output, which says where the shell has ended. */
class FolderMark {
  readonly #mark: string;
  #tail = '';
  found: string | undefined;

  constructor(mark: string) {
    this.#mark = mark;
  }

  take(text: string): string {
    const whole = this.#tail + text;
    let at = whole.indexOf(this.#mark);
    // A program that knows the mark printed it: nothing so long is the name of a folder.
    while (at >= 0 && whole.length - at > LONGEST_PLACE) at = whole.indexOf(this.#mark, at + 1);
    // What could be the beginning of the mark waits for what comes next.
    const shown = at >= 0 ? at : whole.length - endOverlap(whole, this.#mark);
    this.#tail = whole.slice(shown);
    return whole.slice(0, shown);
  }

  rest(): string {
    if (!this.#tail.startsWith(this.#mark)) return this.#tail;
    const [path = '', ...after] = this.#tail.slice(this.#mark.length).split('\n');
    if (path.startsWith('/')) this.found = path;
    return after.join('\n');
  }
}

/** How many characters at the end could begin the mark. */
function endOverlap(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (mark.startsWith(text.slice(-length))) return length;
  return 0;
}
