// The sandbox of a run: taken when it is first needed, held until the run ends, model calls and approvals included (P5).
import { asHermesError, type HermesError } from '../base/errors.ts';
import type { Session } from '../store/sessions.ts';
import type { AgentParts, HeldSandbox } from './agent-parts.ts';
import type { EventQueue } from './event-queue.ts';
import type { AgentEvent, Turn } from './events.ts';

export interface RunSandboxParts {
  readonly parts: AgentParts;
  readonly session: Session;
  readonly turn: Turn;
  readonly signal: AbortSignal;
  readonly events: EventQueue;
}

export class RunSandbox {
  readonly #parts: RunSandboxParts;
  #held: Promise<HeldSandbox> | undefined;

  constructor(parts: RunSandboxParts) {
    this.#parts = parts;
  }

  /** The same for the whole run. After a failure the next call tries anew. */
  get(): Promise<HeldSandbox> {
    this.#held ??= this.#take().catch((error: unknown) => {
      this.#held = undefined;
      throw error;
    });
    return this.#held;
  }

  /** Nothing of it is used any more. */
  async release(): Promise<void> {
    const taking = this.#held;
    if (!taking) return;
    const { log } = this.#parts.parts.world;
    try {
      await (await taking).release();
    } catch (error) {
      // The run has its outcome; the lease ends by itself when nobody renews it.
      log.warn({ run: this.#parts.turn.runId, error: String(error) }, 'a sandbox was not released');
    }
  }

  async #take(): Promise<HeldSandbox> {
    const { parts, session, turn, signal, events } = this.#parts;
    const onWait = (before: number): void => {
      const queue = before === 0 ? 'You are next.' : `${before} wait before you.`;
      events.push({ type: 'notice', text: `All sandboxes are in use; waiting for one. ${queue}` });
    };
    const onRemade = (text: string): void => events.push({ type: 'notice', text });
    const request = { purpose: turn.runId, actor: turn.requester, signal, onWait, onRemade };
    try {
      return await parts.sandboxes.lease(session, request);
    } catch (error) {
      if (!signal.aborted) events.push(this.#told(asHermesError(error)));
      throw error;
    }
  }

  #told({ code, message, details }: HermesError): Extract<AgentEvent, { type: 'no-sandbox' }> {
    const { redact } = this.#parts.parts.redactor;
    const { forChat } = details;
    const known = typeof forChat === 'string' ? { forChat: redact(forChat) } : {};
    return { type: 'no-sandbox', code, reason: redact(message), ...known };
  }
}
