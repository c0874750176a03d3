// What a failure means: which error, in words, and whether it may pass by itself. Pure.
import type { ErrorCode } from '../base/error-codes.ts';
import { HermesError } from '../base/errors.ts';
import type { ServerSaid } from './server-said.ts';

/** Whom the failure is about. */
export interface Place {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** The variable of the key, and whether there is one in it. */
  readonly keyVariable: string;
  readonly hasKey: boolean;
  /** What the server said is cut; what is secret in it is hidden before (P7). */
  readonly redact: (text: string) => string;
}

export interface Fault {
  readonly error: HermesError;
  /** `busy`: the server wants us to wait. `hiccup`: a second attempt is worth a moment. */
  readonly retry: 'busy' | 'hiccup' | 'never';
  /** For whoever waits. */
  readonly reason: string;
}

type Verdict = readonly [code: ErrorCode, retry: Fault['retry'], what: string, remedy: string];

export function judge(server: ServerSaid, place: Place, cause?: unknown): Fault {
  const [code, retry, what, remedy] = verdict(server, place);
  const text = server.text === '' ? '' : `: ${server.text.replace(/\.$/, '')}`;
  const status = server.status === undefined ? {} : { status: server.status };
  const error = new HermesError(code, `${what}${text}. ${remedy}`, {
    details: { provider: place.provider, model: place.model, baseUrl: place.baseUrl, ...status },
    cause,
  });
  const refused = server.headers['x-should-retry'] === 'false';
  return { error, retry: refused ? 'never' : retry, reason: reasonOf(server.status) };
}

function verdict(server: ServerSaid, place: Place): Verdict {
  const { status = 0, words } = server;
  const { baseUrl, model } = place;
  if (isContextFull(server)) {
    return ['USAGE_CONTEXT_FULL', 'never', `${model} cannot read that much`, 'Start a new conversation.'];
  }
  if (status === 401 || status === 403) return keyVerdict(place);
  if (isModelUnknown(server, model)) {
    const remedy = '`hermes model list` shows what there is, `hermes model set NAME` chooses one.';
    return ['CONFIG_MODEL_UNKNOWN', 'never', `${baseUrl} has no model ${model}`, remedy];
  }
  if (status === 402 || words.includes('insufficient_quota') || words.includes('billing_error')) {
    return ['UNAVAILABLE_MODEL_BUSY', 'never', `${baseUrl} wants to be paid`, 'Look at the account there.'];
  }
  if (status === 429) return ['UNAVAILABLE_MODEL_BUSY', 'busy', `${baseUrl} limits us`, 'Try again later.'];
  if (status === 503 || status === 529) {
    return ['UNAVAILABLE_MODEL_BUSY', 'busy', `${baseUrl} is overloaded`, 'Try again later.'];
  }
  if (status >= 300 && status < 400) {
    const to = server.headers['location'] ?? 'elsewhere';
    return [
      'UNAVAILABLE_MODEL',
      'never',
      `${baseUrl} leads to ${to}`,
      'Set model.base_url to where the model is.',
    ];
  }
  if (status === 404 || status === 405) {
    const remedy = 'Is the path of model.base_url right? Most end with /v1.';
    return ['UNAVAILABLE_MODEL', 'never', `${baseUrl} has no models there (${status})`, remedy];
  }
  const passes = status >= 500 || status === 408 || status === 0;
  const answer = status === 0 ? 'failed' : `answered ${status}`;
  return [
    'UNAVAILABLE_MODEL',
    passes ? 'hiccup' : 'never',
    `${baseUrl} ${answer}`,
    'Try `hermes model test`.',
  ];
}

function keyVerdict({ baseUrl, keyVariable, hasKey }: Place): Verdict {
  const what = hasKey
    ? `${baseUrl} refuses the key from ${keyVariable}`
    : `${baseUrl} wants a key, and there is none`;
  return [
    'AUTH_MODEL_KEY',
    'never',
    what,
    `Set ${keyVariable}, for example with \`hermes config set ${keyVariable} -\`.`,
  ];
}

const CONTEXT_WORDS = ['context_length_exceeded', 'exceed_context_size_error', 'request_too_large'];
// Anthropic, vLLM and others have no word of their own for it, only a sentence; it decides whether history is shortened.
const CONTEXT_SENTENCES =
  /prompt is too long|maximum context length|context (?:length|window|size)[^.]*exceed|exceeds?[^.]*context (?:length|window|size)|too many (?:input )?tokens/i;

function isContextFull({ status, words, text }: ServerSaid): boolean {
  if (words.some(word => CONTEXT_WORDS.includes(word)) || status === 413) return true;
  return (status === 400 || status === 422 || status === undefined) && CONTEXT_SENTENCES.test(text);
}

// An answer 404 may also mean the path; it speaks of the model if that is what is missing.
const UNKNOWN_SENTENCES = /not found|not (?:a )?valid|does not exist|unknown|no such/i;

function isModelUnknown({ status, words, text }: ServerSaid, model: string): boolean {
  if (words.includes('model_not_found')) return true;
  if (status !== 404 && status !== 400) return false;
  if (status === 404 && words.includes('not_found_error')) return true;
  return model !== '' && text.includes(model) && (status === 404 || UNKNOWN_SENTENCES.test(text));
}

function reasonOf(status: number | undefined): string {
  if (status === 429) return 'The model limits how often it may be asked.';
  if (status === 503 || status === 529) return 'The model is overloaded.';
  return status === undefined
    ? 'The model cannot be reached.'
    : `The model answered with an error (${status}).`;
}
