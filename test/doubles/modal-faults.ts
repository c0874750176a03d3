// Faults of the Modal double, by call: each is used once for every time it was asked for.
import {
  type CallContext,
  ServerError,
  type ServerMiddleware,
  type ServerMiddlewareCall,
  Status,
} from 'nice-grpc';
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
  | { readonly delayMs: number };

export class ModalFaults {
  readonly #waiting = new Map<string, ModalFault[]>();
  readonly #calls: string[] = [];
  /** Hears of every call as it comes. */
  onCall: (method: string, request: unknown) => void = () => undefined;

  /** `method`: such as `SandboxCreateV2`. */
  add(method: string, fault: ModalFault, times = 1): void {
    const list = this.#waiting.get(method) ?? [];
    this.#waiting.set(method, [...list, ...Array<ModalFault>(times).fill(fault)]);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** How often it was called. */
  count(method: string): number {
    return this.#calls.filter(name => name === method).length;
  }

  readonly middleware: ServerMiddleware = (call, context) => this.#pass(call, context);

  async *#pass<Request, Response>(call: ServerMiddlewareCall<Request, Response>, context: CallContext) {
    const method = call.method.path.split('/').at(-1) ?? '';
    this.#calls.push(method);
    this.onCall(method, call.request);
    const fault = this.#waiting.get(method)?.shift();
    if (fault && 'delayMs' in fault) await new Promise(resolve => setTimeout(resolve, fault.delayMs));
    if (fault && 'status' in fault) throw refusal(fault, context);
    const answer = yield* call.next(call.request, context);
    if (fault && 'lostAnswer' in fault) throw new ServerError(Status.UNAVAILABLE, 'connection reset');
    return answer;
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
