// Whether a call may run: what it would do is judged by what its sandbox could hurt, and asked about where that matters.
import { resolve } from 'node:path/posix';
import type { Gate } from '../approvals/gate.ts';
import type { Question } from '../approvals/question.ts';
import { shownFindings } from '../approvals/shown-findings.ts';
import type { Clock } from '../base/clock.ts';
import type { Policy } from '../risk/decide.ts';
import type { Action } from '../tools/tool.ts';
import type { JudgedPlace } from './deed.ts';
import { type JudgedAction, judgeAction } from './judge-action.ts';
import { isUnchanged, lookUp } from './look-up.ts';
import { ownFolders, takesOwnFile } from './own-files.ts';
import { namesOf } from './path-findings.ts';
import type { TermsOf } from './sandbox-terms.ts';
import type { Requested } from './tool-caller.ts';

export interface PassageParts {
  /** The folder of this installation, which the analysis knows as our own, by all of its names. */
  readonly homes?: readonly string[];
  readonly clock: Clock;
  readonly gate: Gate;
  readonly termsOf: TermsOf;
  /** As it is now: owners add to the allowlist while runs go on. */
  readonly approvals: () => Policy;
  readonly redact: (text: string) => string;
}

export type Passage =
  | { readonly kind: 'go'; readonly place: JudgedPlace }
  /** In words for whoever wanted it, the model as well. */
  | { readonly kind: 'denied'; readonly reason: string };

/** Nothing has run when it is denied (P8). Rejects with the signal's reason when the run is cancelled meanwhile. */
export async function passage(
  parts: PassageParts,
  { name, action }: { readonly name: string; readonly action: Action },
  context: Requested,
): Promise<Passage> {
  const { handle, sandboxId } = await context.sandbox();
  const { exposure, keepsShell } = await parts.termsOf(context.session, sandboxId);
  const sinceMs = parts.clock.now() - context.session.createdAt;
  const options = { exposure, keepsShell, signal: context.signal, sinceMs };
  const found = await lookUp(handle, action, options);
  const { workdir } = handle;
  const folders = ownFolders(parts.homes ?? [], exposure);
  const path = 'path' in action ? (found.realPath ?? resolve(workdir, action.path)) : undefined;
  if (path !== undefined && takesOwnFile(action, path, { folders, workdir }))
    return { kind: 'denied', reason: OWN };
  const homes = namesOf([...(parts.homes ?? []), ...folders], workdir);
  const circumstances = { exposure, policy: parts.approvals(), workdir, homes, ...found };
  const answer = await ask(parts, judgeAction(name, action, circumstances), sandboxId, context);
  context.signal.throwIfAborted();
  if (answer.reason !== undefined) return { kind: 'denied', reason: answer.reason };
  if ((await context.sandbox()).sandboxId !== sandboxId) return { kind: 'denied', reason: REPLACED };
  if (answer.waited && !(await isUnchanged(handle, action, found, options)))
    return { kind: 'denied', reason: CHANGED };
  const { folder, realPath } = found;
  return {
    kind: 'go',
    place: {
      ...(folder === undefined ? {} : { folder }),
      ...(realPath === undefined ? {} : { path: realPath }),
      ...(folders.length === 0 ? {} : { closed: folders }),
    },
  };
}

const REPLACED = 'the sandbox was replaced by a new one while somebody was asked.';
const OWN =
  'it belongs to this installation of Hermes, and what does is never shown or sent by a tool, whoever agrees.';
const CHANGED =
  'what was asked about has changed before the answer came: a file that would run, or where the path leads. Call again to ask about it as it is now.';

interface Answer {
  /** Why not; absent when it may run. */
  readonly reason?: string;
  /** A person or a model took their time to decide. */
  readonly waited: boolean;
}

async function ask(
  { gate, redact }: PassageParts,
  { command, judgement }: JudgedAction,
  sandboxId: string,
  { session, runId, requester, signal, onApproval }: Requested,
): Promise<Answer> {
  let question: Question | undefined;
  const onAsked = (asked: Question): void => {
    question = asked;
    onApproval?.({ type: 'approval-asked', question: { ...asked, ...shownFindings(asked, redact) } });
  };
  const asked = { sessionId: session.id, sandboxId, runId, requester, command };
  const answer = await gate.pass(asked, judgement, { signal, onAsked });
  const isApproved = answer.kind === 'go';
  const text = isApproved ? 'Approved.' : redact(answer.reason);
  if (question) onApproval?.({ type: 'approval-settled', id: question.id, approved: isApproved, text });
  return isApproved ? { waited: answer.waited } : { waited: true, reason: text };
}
