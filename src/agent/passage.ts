// Whether a call may run: what it would do is judged by what its sandbox could hurt, and asked about where that matters.
import { resolve } from 'node:path/posix';
import type { Gate } from '../approvals/gate.ts';
import type { Question } from '../approvals/question.ts';
import { HermesError } from '../base/errors.ts';
import { shellQuote } from '../base/shell-quote.ts';
import type { Policy } from '../risk/decide.ts';
import type { SandboxHandle } from '../sandboxes/handle.ts';
import type { Action, Tool } from '../tools/tool.ts';
import { type JudgedAction, judgeAction } from './judge-action.ts';
import type { TermsOf } from './sandbox-terms.ts';
import type { CallContext } from './tool-caller.ts';

export interface PassageParts {
  readonly gate: Gate;
  readonly termsOf: TermsOf;
  /** As it is now: owners add to the allowlist while runs go on. */
  readonly approvals: () => Policy;
  readonly redact: (text: string) => string;
}

export type Passage =
  | { readonly kind: 'go'; readonly context: CallContext }
  /** In words for the model. */
  | { readonly kind: 'denied'; readonly reason: string };

/** Nothing has run when it is denied (P8). Rejects with the signal's reason when the run is cancelled meanwhile. */
export async function passage(
  parts: PassageParts,
  { tool, input }: { readonly tool: Tool; readonly input: unknown },
  context: CallContext,
): Promise<Passage> {
  const action = tool.action?.(input);
  if (!action) return { kind: 'go', context };
  const { handle, sandboxId } = await context.sandbox();
  const { exposure, keepsShell } = await parts.termsOf(context.session, sandboxId);
  // Where nothing can be hurt it does not matter where a path leads, and the answer would cost a command.
  const isExposed = exposure.isWhole || exposure.mounts.length > 0;
  const found = isExposed ? await lookUp(handle, action, { keepsShell, signal: context.signal }) : {};
  const circumstances = { exposure, policy: parts.approvals(), workdir: handle.workdir, ...found };
  const reason = await ask(parts, judgeAction(tool.name, action, circumstances), sandboxId, context);
  context.signal.throwIfAborted();
  if (reason !== undefined) return { kind: 'denied', reason };
  if ((await context.sandbox()).sandboxId !== sandboxId)
    return { kind: 'denied', reason: 'the sandbox was replaced by a new one while somebody was asked.' };
  const { folder } = found;
  return { kind: 'go', context: folder === undefined ? context : { ...context, folder } };
}

interface LookedUp {
  folder?: string;
  realPath?: string;
}

/** What the words alone do not say: where the session's shell stands, and where links lead. */
async function lookUp(
  handle: SandboxHandle,
  action: Action,
  { keepsShell, signal }: { readonly keepsShell: boolean; readonly signal: AbortSignal },
): Promise<LookedUp> {
  const answerOf = async (command: string, persistent: boolean): Promise<string | undefined> => {
    const { stdout, exitCode } = await handle.exec(command, { persistent, signal });
    signal.throwIfAborted();
    return exitCode === 0 && stdout !== '' ? stdout.replace(/\n$/, '') : undefined;
  };
  if ('path' in action) {
    const realPath = await answerOf(`readlink -f -- ${word(action.path, handle.workdir)}`, false);
    return realPath === undefined ? {} : { realPath };
  }
  if (action.kind !== 'command' || action.folder !== undefined || !keepsShell) return {};
  const folder = await answerOf('builtin pwd -P', true);
  if (folder !== undefined) return { folder };
  throw new HermesError(
    'SANDBOX_CWD_MISSING',
    'The folder in which the shell of this session stands is gone or cannot be told. Give a workdir.',
  );
}

/** As one word; `~` stays what it is in a shell. */
function word(path: string, workdir: string): string {
  return /^~(?:\/|$)/.test(path)
    ? `~${shellQuote(path.slice(1) || '/')}`
    : shellQuote(resolve(workdir, path));
}

/** Why not; undefined when it may run. */
async function ask(
  { gate, redact }: PassageParts,
  { command, judgement }: JudgedAction,
  sandboxId: string,
  { session, runId, requester, signal, onApproval }: CallContext,
): Promise<string | undefined> {
  let question: Question | undefined;
  const onAsked = (asked: Question): void => {
    question = asked;
    onApproval?.({ type: 'approval-asked', question: shown(asked, redact) });
  };
  const asked = { sessionId: session.id, sandboxId, runId, requester, command };
  const answer = await gate.pass(asked, judgement, { signal, onAsked });
  const text = answer.kind === 'go' ? 'Approved.' : redact(answer.reason);
  if (question)
    onApproval?.({ type: 'approval-settled', id: question.id, approved: answer.kind === 'go', text });
  return answer.kind === 'go' ? undefined : text;
}

/** For whoever watches; the one who is asked sees it as it is. */
function shown(question: Question, redact: (text: string) => string): Question {
  const findings = question.findings.map(finding => ({ ...finding, part: redact(finding.part) }));
  return { ...question, command: redact(question.command), findings };
}
