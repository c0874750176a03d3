// What the double of Slack can be told to do wrong, and how each looks on the wire.

export type SlackFault =
  /** The connection ends before anything was done. */
  | 'drop'
  /** The connection ends after it was done: the caller cannot know. */
  | 'drop-after'
  /** No answer, until the caller gives up. */
  | 'hang'
  | 'server-error'
  /** A page of HTML with status 502, as proxies send it. */
  | 'bad-gateway'
  /** The same with status 200. */
  | 'page'
  | { readonly retryAfterSeconds: number }
  | { readonly redirectTo: string }
  /** Slack's own refusal, such as `channel_not_found`. */
  | { readonly error: string; readonly needed?: string };

export interface SlackFaults {
  add(methods: readonly string[], fault: SlackFault, times: number): void;
  /** The fault that this call has; it is used up by it. */
  take(method: string): SlackFault | undefined;
  clear(): void;
}

export function slackFaults(): SlackFaults {
  let faults: { methods: readonly string[]; fault: SlackFault; left: number }[] = [];
  return {
    add: (methods, fault, times) => void faults.push({ methods, fault, left: times }),
    take(method) {
      const found = faults.find(({ methods }) => methods.includes(method) || methods.includes('*'));
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) faults = faults.filter(each => each !== found);
      return found.fault;
    },
    clear: () => {
      faults = [];
    },
  };
}
