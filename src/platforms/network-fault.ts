// What the codes of a network that fails mean to people, and to a message that was under way. Pure.
import { systemErrorCode } from '../base/errors.ts';

/** Nothing was sent when these happen: there was no connection yet. */
const BEFORE_SENDING = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up right now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};

export interface NetworkFault {
  /** In words; undefined when it is none of the network. */
  readonly reason: string | undefined;
  readonly mayBeDelivered: boolean;
  /** What happened, as it was thrown; it may contain anything. */
  readonly message: string;
}

/** Of anything that was thrown on the way. fetch says what happened only in the cause. */
export function networkFault(thrown: unknown): NetworkFault {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : undefined;
  const isOfFetch = thrown instanceof TypeError && cause !== undefined;
  const error = isOfFetch ? cause : thrown;
  const code = systemErrorCode(error) ?? systemErrorCode(cause) ?? '';
  return {
    reason: REASONS[code],
    mayBeDelivered: !BEFORE_SENDING.includes(code),
    message: error instanceof Error ? error.message : String(error),
  };
}
