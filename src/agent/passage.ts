// Whether a call may run: what it would do is judged by what its sandbox could hurt, and asked about where that matters.
import type { Gate } from '../approvals/gate.ts';
import type { Question } from '../approvals/question.ts';
import { shownFindings } from '../approvals/shown-findings.ts';
import type { Clock } from '../base/clock.ts';
import type { Policy } from '../risk/decide.ts';
import type { Tool } from '../tools/tool.ts';
import { type JudgedAction, judgeAction } from './judge-action.ts';
import { isUnchanged, lookUp } from './look-up.ts';
import { homesOf } from './path-findings.ts';
import type { TermsOf } from './sandbox-terms.ts';
import type { CallContext } from './tool-caller.ts';

export interface PassageParts {
  /** The folder of this installation, which the analysis knows as our own. */
  readonly home?: string;
  readonly clock: Clock;
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
  const sinceMs = parts.clock.now() - context.session.createdAt;
  const options = { exposure, keepsShell, signal: context.signal, sinceMs };
  const found = await lookUp(handle, action, options);
  const homes = homesOf(parts.home, handle.workdir);
  const circumstances = { exposure, policy: parts.approvals(), workdir: handle.workdir, homes, ...found };
  const answer = await ask(parts, judgeAction(tool.name, action, circumstances), sandboxId, context);
  context.signal.throwIfAborted();
  if (answer.reason !== undefined) return { kind: 'denied', reason: answer.reason };
  if ((await context.sandbox()).sandboxId !== sandboxId) return { kind: 'denied', reason: REPLACED };
  if (answer.wasAsked && !(await isUnchanged(handle, action, found, options)))
    return { kind: 'denied', reason: CHANGED };
  const { folder, realPath } = found;
  return {
    kind: 'go',
    context: {
      ...context,
      ...(folder === undefined ? {} : { folder }),
      ...(realPath === undefined ? {} : { path: realPath }),
    },
  };
}

const REPLACED = 'the sandbox was replaced by a new one while somebody was asked.';
const CHANGED = 'what was asked about has changed while somebody was asked; call again to ask anew.';

interface Answer {
  /** Why not; absent when it may run. */
  readonly reason?: string;
  readonly wasAsked: boolean;
}

async function ask(
  { gate, redact }: PassageParts,
  { command, judgement }: JudgedAction,
  sandboxId: string,
  { session, runId, requester, signal, onApproval }: CallContext,
): Promise<Answer> {
  let question: Question | undefined;
  const onAsked = (asked: Question): void => {
    question = asked;
    onApproval?.({ type: 'approval-asked', question: { ...asked, ...shownFindings(asked, redact) } });
  };
  const asked = { sessionId: session.id, sandboxId, runId, requester, command };
  const answer = await gate.pass(asked, judgement, { signal, onAsked });
  const text = answer.kind === 'go' ? 'Approved.' : redact(answer.reason);
  if (question)
    onApproval?.({ type: 'approval-settled', id: question.id, approved: answer.kind === 'go', text });
  return { wasAsked: question !== undefined, ...(answer.kind === 'go' ? {} : { reason: text }) };
}
