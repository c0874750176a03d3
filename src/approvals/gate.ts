// The door that every command of an agent passes: what could do harm outside its sandbox goes to the desk, everything
// else goes on (P8).
import type { Abortable } from '../base/abortable.ts';
import type { Finding } from '../risk/finding.ts';
import type { Audit } from '../store/audit.ts';
import type { ApprovalDesk } from './desk.ts';
import { isGranted } from './grant.ts';
import type { Asked, Question } from './question.ts';
import { shownFindings } from './shown-findings.ts';
import { type AskModel, smartVerdict } from './smart.ts';

/** What the analysis of a command has come to; the decision of risk/ fits. */
export interface Judgement {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly findings: readonly Finding[];
  readonly why: string;
  /** The entry of a list that decided. */
  readonly entry?: string;
}

export type Passage =
  /** `waited`: a person or a model decided, which takes time; what was judged may have changed meanwhile. */
  | { readonly kind: 'go'; readonly waited: boolean }
  /** The reason is for the model as well. */
  | { readonly kind: 'denied'; readonly reason: string };

const AT_ONCE = { kind: 'go', waited: false } as const;
const AFTER_A_WAIT = { kind: 'go', waited: true } as const;

export interface Asking extends Abortable {
  /** Told the question that somebody has to answer now. */
  readonly onAsked?: (question: Question) => void;
}

export interface GateParts {
  readonly desk: ApprovalDesk;
  readonly audit: Audit;
  readonly redact: (text: string) => string;
  /** Present in mode `smart`. */
  readonly askModel?: AskModel;
  /** Present with `--yolo`: told, redacted, what would have been asked, before it runs. */
  readonly unasked?: (asked: Asked) => void;
}

export class Gate {
  readonly #parts: GateParts;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  async pass(
    asked: Omit<Asked, 'findings'>,
    judgement: Judgement,
    { signal, onAsked }: Asking = {},
  ): Promise<Passage> {
    const { verdict, findings, why } = judgement;
    if (verdict === 'allow') {
      // By a list or a mode of the owner's, although there is something to ask about.
      if (findings.length > 0) await this.#recordUnasked(asked, judgement);
      return AT_ONCE;
    }
    if (verdict === 'deny') {
      await this.#record(asked, 'denied by the configuration');
      return { kind: 'denied', reason: why };
    }
    const grants = await this.#parts.desk.grantsOf(asked.sessionId);
    const open = findings.filter(finding => !isGranted(finding, grants));
    if (open.length === 0) {
      await this.#record(asked, 'granted for the session');
      return AT_ONCE;
    }
    if (await this.#modelClears(asked, open, signal)) return AFTER_A_WAIT;
    const answer = await this.#parts.desk.ask({ ...asked, findings }, signal, onAsked);
    await this.#record(
      asked,
      answer.kind === 'approved' ? `approved ${answer.scope} by ${answer.by}` : answer.reason,
    );
    return answer.kind === 'approved' ? AFTER_A_WAIT : { kind: 'denied', reason: answer.reason };
  }

  async #recordUnasked(asked: Omit<Asked, 'findings'>, { findings, why, entry }: Judgement): Promise<void> {
    const { unasked, redact } = this.#parts;
    if (!unasked || entry !== undefined) return this.#record(asked, why);
    await this.#record(asked, 'yolo');
    unasked({ ...asked, ...shownFindings({ command: asked.command, findings }, redact) });
  }

  async #modelClears(
    asked: Omit<Asked, 'findings'>,
    findings: readonly Finding[],
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { askModel, redact } = this.#parts;
    if (!askModel) return false;
    const shown = shownFindings({ command: asked.command, findings }, redact);
    const said = await smartVerdict(shown.command, shown.findings, askModel, signal);
    await this.#record(asked, `smart: ${said}`);
    return said === 'safe';
  }

  async #record({ requester, sessionId, sandboxId, command }: Omit<Asked, 'findings'>, outcome: string) {
    await this.#parts.audit.append({
      actor: requester,
      sessionId,
      ...(sandboxId === undefined ? {} : { sandboxId }),
      action: 'approval',
      subject: command,
      outcome,
    });
  }
}
