// Faults of the Modal double, by call: as a test has scripted them, each used once for every time it was asked for, or at random
// from the seed of the run.
import {
  type CallContext,
  ServerError,
  type ServerMiddleware,
  type ServerMiddlewareCall,
  Status,
} from 'nice-grpc';
import type { Draws } from '../seed.ts';
import { encode } from './modal-proto.ts';

export type ModalFault =
  | {
      readonly status:
        | 'UNAUTHENTICATED'
        | 'PERMISSION_DENIED'
        | 'NOT_FOUND'
        | 'RESOURCE_EXHAUSTED'
        | 'UNAVAILABLE'
        | 'INTERNAL';
      readonly says?: string;
      /** A rate limit tells when to come again. */
      readonly retryAfterSecs?: number;
    }
  /** It is done, and the answer never arrives. */
  | { readonly lostAnswer: true }
  /** It is not begun before this. */
  | { readonly heldBy: Promise<void> };

/** What networks and busy servers do: the SDK's own retries take some of it. */
const AT_RANDOM: readonly ModalFault[] = [
  { status: 'UNAVAILABLE' },
  { status: 'INTERNAL' },
  { lostAnswer: true },
];
/** Of the control plane alone. */
const THROTTLED: ModalFault = { status: 'RESOURCE_EXHAUSTED', says: 'slow down', retryAfterSecs: 0.05 };

export class ModalFaults {
  readonly #waiting = new Map<string, ModalFault[]>();
  #random: { readonly draws: Draws; readonly oneIn: number } | undefined;
  readonly #calls: string[] = [];
  /** Hears of every call as it comes. */
  onCall: (method: string, request: unknown) => void = () => undefined;

  /** `method`: such as `SandboxCreateV2`. */
  add(method: string, fault: ModalFault, times = 1): void {
    const list = this.#waiting.get(method) ?? [];
    this.#waiting.set(method, [...list, ...Array<ModalFault>(times).fill(fault)]);
  }

  /** From now on, one call in so many goes wrong. */
  addRandom(draws: Draws, oneIn: number): void {
    this.#random = { draws, oneIn };
  }

  clear(): void {
    this.#waiting.clear();
    this.#random = undefined;
  }

  /** How often it was called. */
  count(method: string): number {
    return this.#calls.filter(name => name === method).length;
  }

  /** What was called so far, in order. */
  get calls(): readonly string[] {
    return this.#calls;
  }

  readonly middleware: ServerMiddleware = (call, context) => this.#pass(call, context);

  async *#pass<Request, Response>(call: ServerMiddlewareCall<Request, Response>, context: CallContext) {
    const method = call.method.path.split('/').at(-1) ?? '';
    this.#calls.push(method);
    this.onCall(method, call.request);
    const fault = this.#waiting.get(method)?.shift() ?? this.#drawn(method);
    if (fault && 'heldBy' in fault) await fault.heldBy;
    if (fault && 'status' in fault) throw refusal(fault, context);
    const answer = yield* call.next(call.request, context);
    if (fault && 'lostAnswer' in fault) throw new ServerError(Status.UNAVAILABLE, 'connection reset');
    return answer;
  }

  #drawn(method: string): ModalFault | undefined {
    if (!this.#random) return undefined;
    const { draws, oneIn } = this.#random;
    const faults = method.startsWith('Task') ? AT_RANDOM : [...AT_RANDOM, THROTTLED];
    return draws.below(oneIn) === 0 ? faults[draws.below(faults.length)] : undefined;
  }
}

function refusal(fault: Extract<ModalFault, { status: string }>, context: CallContext): ServerError {
  const says = fault.says ?? fault.status.toLowerCase();
  if (fault.retryAfterSecs !== undefined) {
    const policy = encode('RPCRetryPolicy', { retryAfterSecs: fault.retryAfterSecs });
    const details = [{ typeUrl: 'type.googleapis.com/modal.client.RPCRetryPolicy', value: policy }];
    const bytes = encode('RPCStatus', { code: Status[fault.status], message: says, details });
    context.trailer.set('grpc-status-details-bin', bytes);
  }
  return new ServerError(Status[fault.status], says);
}
