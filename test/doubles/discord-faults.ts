// What the double of Discord's API can be told to do wrong, and how each looks on the wire.

export type Fault =
  /** The connection ends before anything was done. */
  | 'drop'
  /** The connection ends after it was done: the caller cannot know. */
  | 'drop-after'
  /** No answer, until the caller gives up. */
  | 'hang'
  | 'server-error'
  /** A page of HTML, as proxies send it. */
  | 'bad-gateway'
  | 'blocked'
  /** A limit that is only known when it is hit. */
  | { readonly retryAfterSeconds: number }
  | { readonly redirectTo: string }
  /** Done, and the headers say that it was the last for so long. */
  | { readonly lastForSeconds: number }
  | Refusal;

export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

export const UNAUTHORIZED: Refusal = { status: 401, code: 0, message: '401: Unauthorized' };
export const UNKNOWN_MESSAGE: Refusal = { status: 404, code: 10_008, message: 'Unknown Message' };
export const UNKNOWN_CHANNEL: Refusal = { status: 404, code: 10_003, message: 'Unknown Channel' };

export function refusalOf(fault: Fault): Refusal | undefined {
  if (fault === 'server-error') return { status: 500, code: 0, message: '500: Internal Server Error' };
  if (fault === 'blocked') return { status: 403, code: 50_007, message: 'Cannot send messages to this user' };
  return typeof fault === 'object' && 'status' in fault ? fault : undefined;
}

export interface FaultList {
  /** `routes`: such as `POST /channels/*\/messages`; `*` alone = any. */
  add(routes: readonly string[], fault: Fault, times: number): void;
  /** The fault that this call has; it is used up by it. */
  take(call: string): Fault | undefined;
  clear(): void;
}

export function faultList(): FaultList {
  let faults: { routes: readonly string[]; fault: Fault; left: number }[] = [];
  return {
    add: (routes, fault, times) => void faults.push({ routes, fault, left: times }),
    take(call) {
      const found = faults.find(({ routes }) => routes.some(route => isRoute(route, call)));
      if (!found) return undefined;
      found.left -= 1;
      faults = faults.filter(({ left }) => left > 0);
      return found.fault;
    },
    clear() {
      faults = [];
    },
  };
}

/** Whether `POST /channels/1/messages` is `POST /channels/*\/messages`. */
export function isRoute(route: string, call: string): boolean {
  if (route === '*') return true;
  const pattern = route.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]+');
  return new RegExp(`^${pattern}$`).test(call);
}
