// The desk of approvals: questions are written down before anybody is asked, answers count once, in time and from an
// owner; whoever waits is told what was decided (P8).
import type { Clock, Timer } from '../base/clock.ts';
import type { Finding } from '../risk/finding.ts';
import type { Approval } from '../store/approvals.ts';
import type { Store } from '../store/store.ts';
import { type Grant, grantOf } from './grant.ts';
import type { Asked, Question, Verdict } from './question.ts';

export interface Answerer {
  /** Such as `telegram:123` or `cli`. */
  readonly who: string;
  readonly isOwner: boolean;
}

export type Decision =
  | { readonly kind: 'approve'; readonly scope: 'once' | 'session' | 'always' }
  | { readonly kind: 'deny'; readonly reason?: string };

/** What became of an answer, in words for whoever gave it. */
export interface AnswerOutcome {
  readonly counted: boolean;
  readonly text: string;
}

export interface DeskOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Shows the question to owners; false when there is nobody to show it to. */
  readonly show: (question: Question) => Promise<boolean>;
  /** Saves what was agreed to for good to the allowlist of the configuration. */
  readonly allowAlways: (command: string, findings: readonly Finding[]) => Promise<unknown>;
  /**
   * Whether answers count that another process has written into the store. Not where commands run as our own user: they could
   * write one. Absent = they do.
   */
  readonly heeds?: 'the store' | 'this process';
  /** Whether the process life of that name may still wait; absent = as long as its leases hold. */
  readonly mayLive?: (holder: string) => boolean;
}

/** How soon an answer from another process, such as the CLI, is noticed. Only while somebody waits. */
const LOOK_MS = 1000;

export class ApprovalDesk {
  readonly #options: DeskOptions;
  readonly #waiting = new Map<string, (verdict: Verdict) => void>();
  /** By session: what was granted here. */
  readonly #granted = new Map<string, Grant[]>();
  #look: Timer | undefined;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Resolves with the decision; denied when nobody can be asked, nobody answers in time, or the run is cancelled. */
  async ask(asked: Asked, signal?: AbortSignal, onAsked?: (question: Question) => void): Promise<Verdict> {
    const { store, clock, timeoutMs, show } = this.#options;
    const question = questionOf(await store.approvals.ask({ ...asked, expiresAt: clock.now() + timeoutMs }));
    const decided = Promise.withResolvers<Verdict>();
    this.#waiting.set(question.id, decided.resolve);
    const onAbort = (): void => void this.#close(question.id, 'the run was cancelled');
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = clock.after(timeoutMs, () => void this.#expire(question.id), { keepAlive: true });
    try {
      if (signal?.aborted) await this.#close(question.id, 'the run was cancelled');
      else if (!(await show(question))) await this.#close(question.id, 'nobody can be asked');
      else onAsked?.(question);
      this.#lookAgain();
      return await decided.promise;
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(question.id);
    }
  }

  /** Says truthfully what the answer was worth. The nonce is the question's own, where the door can carry it. */
  async answer(id: string, by: Answerer, decision: Decision, nonce?: string): Promise<AnswerOutcome> {
    const { store, allowAlways } = this.#options;
    if (!by.isOwner) return { counted: false, text: 'Only an owner can answer this.' };
    const found = await store.approvals.find(id);
    if (!found) return { counted: false, text: `There is no approval ${id}.` };
    if (found.state === 'pending' && !(await this.#isWaitedFor(found))) {
      await this.#closeUnasked(found);
      return { counted: false, text: whyNot({ ...found, state: 'closed' }, this.#options.clock.now()) };
    }
    const common = { nonce: nonce ?? found.nonce, answeredBy: by.who };
    const answered = await store.approvals.answer(
      id,
      decision.kind === 'approve'
        ? { ...common, state: 'approved', scope: decision.scope }
        : { ...common, state: 'denied', ...(decision.reason ? { reason: decision.reason } : {}) },
    );
    if (!answered)
      return { counted: false, text: whyNot(await store.approvals.find(id), this.#options.clock.now()) };
    if (answered.scope === 'always') {
      const findings = answered.findings as readonly Finding[]; // as `ask` wrote them
      await allowAlways(answered.command, findings);
    }
    if (answered.scope === 'session') this.#remember(answered);
    this.#settle(answered);
    return {
      counted: true,
      text: answered.state === 'approved' ? `Approved (${answered.scope}).` : 'Denied.',
    };
  }

  pending(): Promise<readonly Approval[]> {
    return this.#options.store.approvals.pending();
  }

  /** What owners have granted this session; a session that `/new` begins has none. */
  async grantsOf(sessionId: string): Promise<readonly Grant[]> {
    if (!this.#heedsStore) return this.#granted.get(sessionId) ?? [];
    return (await this.#options.store.approvals.granted(sessionId)).flatMap(grantsIn);
  }

  get #heedsStore(): boolean {
    return this.#options.heeds !== 'this process';
  }

  #remember(approval: Approval): void {
    const { sessionId } = approval;
    this.#granted.set(sessionId, [...(this.#granted.get(sessionId) ?? []), ...grantsIn(approval)]);
  }

  /** After a restart: those for which nobody waits any more. Returns them, so that their chats can be told. */
  async closeDead(): Promise<readonly Approval[]> {
    const closed: Approval[] = [];
    for (const approval of await this.pending()) {
      if (await this.#isWaitedFor(approval)) continue;
      const dead = await this.#closeUnasked(approval);
      if (dead) closed.push(dead);
    }
    return closed;
  }

  /** A run holds its sandbox while it waits; another process's is known by that. */
  async #isWaitedFor({ id, runId }: Approval): Promise<boolean> {
    const { store, clock, mayLive = () => true } = this.#options;
    if (this.#waiting.has(id)) return true;
    const leases = await store.leases.list();
    return leases.some(
      ({ purpose, holder, expiresAt }) => purpose === runId && expiresAt > clock.now() && mayLive(holder),
    );
  }

  async #closeUnasked({ id, requester, sessionId }: Approval): Promise<Approval | undefined> {
    const { store } = this.#options;
    const closed = await store.approvals.close(id);
    if (!closed) return undefined;
    const outcome = 'closed: the run that asked has ended';
    await store.audit.append({ actor: requester, sessionId, action: 'approval', subject: id, outcome });
    return closed;
  }

  async #expire(id: string): Promise<void> {
    await this.#options.store.approvals.expire();
    if (this.#heedsStore) await this.#report(id);
    else this.#waiting.get(id)?.({ kind: 'denied', reason: deniedBecause('expired', null) });
  }

  async #close(id: string, reason: string): Promise<void> {
    const found = await this.#options.store.approvals.find(id);
    if (found?.state === 'pending') await this.#options.store.approvals.close(id);
    this.#waiting.get(id)?.({ kind: 'denied', reason: `Not approved: ${reason}.` });
  }

  async #report(id: string): Promise<void> {
    const found = await this.#options.store.approvals.find(id);
    if (found && found.state !== 'pending') this.#settle(found);
  }

  #settle(approval: Approval): void {
    const { id, state, scope, answeredBy, reason } = approval;
    this.#waiting.get(id)?.(
      state === 'approved'
        ? { kind: 'approved', scope: scope ?? 'once', by: answeredBy ?? '?' }
        : { kind: 'denied', reason: deniedBecause(state, reason) },
    );
  }

  /** Another process may have answered; the store has no way to tell, so it is looked at while somebody waits. */
  #lookAgain(): void {
    if (!this.#heedsStore) return;
    this.#look ??= this.#options.clock.after(LOOK_MS, () => {
      this.#look = undefined;
      const ids = [...this.#waiting.keys()];
      void Promise.all(ids.map(id => this.#report(id))).then(() => {
        if (this.#waiting.size > 0) this.#lookAgain();
      });
    });
  }
}

function grantsIn({ findings }: Pick<Approval, 'findings'>): readonly Grant[] {
  return (findings as readonly Finding[]).map(grantOf); // as `ask` wrote them
}

function questionOf({
  id,
  nonce,
  expiresAt,
  sessionId,
  sandboxId,
  runId,
  requester,
  command,
  findings,
}: Approval): Question {
  return {
    ...{ id, nonce, expiresAt, sessionId, runId, requester, command },
    ...(sandboxId === null ? {} : { sandboxId }),
    findings: findings as readonly Finding[], // as `ask` wrote them
  };
}

function deniedBecause(state: Approval['state'], reason: string | null): string {
  if (state === 'expired') return 'Not approved: nobody answered in time.';
  if (state === 'closed') return 'Not approved: the run has ended.';
  return reason ? `Denied by the owner: ${reason}` : 'Denied by the owner.';
}

function whyNot(found: Approval | undefined, now: number): string {
  switch (found?.state) {
    case 'approved':
    case 'denied':
      return `It was ${found.state} already, by ${found.answeredBy}.`;
    case 'expired':
      return 'It has expired; nothing was run.';
    case 'closed':
      return 'The run that asked has ended; nothing was run.';
    case 'pending':
      return found.expiresAt <= now
        ? 'It has expired; nothing was run.'
        : 'That button belongs to another question.';
    default:
      return 'There is no such approval.';
  }
}
