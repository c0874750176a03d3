// A model on loopback that does what a test's script says, in both wire formats: answers in pieces, tool calls, errors,
// silence and cut connections, each at the moment that the script has it. A history that real servers refuse is refused.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Heard, hear, refusalOf } from './model-request.ts';
import { anthropicWire, openAiWire, type Wire } from './model-wire.ts';

/** A tool call. Without pieces the input goes out as JSON, cut in the middle. */
export interface CallStep {
  readonly name: string;
  readonly id?: string;
  readonly input?: unknown;
  /** The input as it is written, piece by piece; need not be JSON. */
  readonly pieces?: readonly string[];
}

export interface EndStep {
  readonly end: 'stop' | 'calls' | 'length' | 'refused';
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/**
 * What the server does, in order. An answer without an `end` step ends by itself: `calls` after calls, else `stop`.
 * `status` answers with an error instead of a stream, so it stands first. Nothing follows
 * a `drop`, a `hangUp` or a `silence`.
 */
export type Step =
  | { readonly text: string }
  | { readonly call: CallStep }
  /** Several at once. */
  | { readonly calls: readonly CallStep[] }
  /** Goes on when the test resolves it. What came before has been sent. */
  | { readonly until: Promise<unknown> }
  | EndStep
  | {
      readonly status: number;
      readonly type?: string;
      readonly message?: string;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Instead of an error in the wire's own form. */
      readonly body?: string;
    }
  /** An error inside the stream, as both formats have it. */
  | { readonly fault: string; readonly message?: string }
  /** Bytes as they are. */
  | { readonly raw: string }
  /** The connection is cut. */
  | { readonly drop: true }
  /** The stream ends in good order, but without the end of the answer. */
  | { readonly hangUp: true }
  /** Nothing more comes until the client goes. Before anything else: not even a status line. */
  | { readonly silence: true };

/** One list per request, the last one again and again; or a function of what was asked. */
export type Script = readonly (readonly Step[])[] | ((heard: Heard) => readonly Step[]);

export interface ModelServer {
  /** `model.base_url` for openai-compatible. */
  readonly openAiUrl: string;
  /** `model.base_url` for anthropic. */
  readonly anthropicUrl: string;
  /** Everything that was asked of a model, oldest first. */
  readonly requests: readonly Heard[];
  /** Resolves once that many requests have arrived. */
  arrived(count: number): Promise<void>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ModelServerOptions {
  /** What the list of models has. */
  readonly models?: readonly string[];
  /** With it every request needs this key. */
  readonly key?: string;
}

export async function startModelServer(
  script: Script,
  { models = ['test-model'], key }: ModelServerOptions = {},
): Promise<ModelServer> {
  const requests: Heard[] = [];
  const waiting = new Set<() => void>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new Promise<void>(resolve => response.once('close', resolve));
    const heard = await hear(request, { number: requests.length + 1, gone });
    const wire = heard.wire === 'openai' ? openAiWire() : anthropicWire();
    if (key !== undefined && heard.key !== key) {
      return answer(response, 401, wire.errorBody('authentication_error', 'invalid api key'));
    }
    if (request.method === 'GET') return answer(response, 200, wire.models(models));
    requests.push(heard);
    for (const wake of waiting) wake();
    const refusal = refusalOf(heard);
    if (refusal !== undefined) return answer(response, 400, wire.errorBody('invalid_request_error', refusal));
    const steps =
      typeof script === 'function' ? script(heard) : (script[requests.length - 1] ?? script.at(-1));
    await play(steps ?? [], heard, { response, wire });
  };
  const server = createServer((request, response) => {
    response.on('error', () => {}); // the client has gone; `close` follows and is what counts
    serve(request, response).catch((error: unknown) => answer(response, 500, String(error)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, not on a path
  const stop = async (): Promise<void> => {
    const closed = new Promise(resolve => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return {
    openAiUrl: `${url}/v1`,
    anthropicUrl: `${url}/v1`,
    requests,
    arrived: count =>
      new Promise(resolve => {
        const look = (): void => {
          if (requests.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

interface Stage {
  readonly response: ServerResponse;
  readonly wire: Wire;
}

async function play(steps: readonly Step[], heard: Heard, { response, wire }: Stage): Promise<void> {
  let hasCalls = false;
  const send = async (events: readonly string[]): Promise<void> => {
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of wire.begin(heard.model)) response.write(event);
    }
    for (const event of events) {
      response.write(event);
      await nextTurn(); // so that events are packets of their own, mostly
    }
  };
  for (const [at, step] of steps.entries()) {
    if ('until' in step) await Promise.race([step.until, heard.gone]);
    else if ('status' in step) {
      const { status, type = 'error', message = 'scripted error', code, body, headers = {} } = step;
      return answer(response, status, body ?? wire.errorBody(type, message, code), headers);
    } else if ('drop' in step) return void response.destroy();
    else if ('hangUp' in step) return void response.end();
    else if ('silence' in step) return heard.gone;
    else if ('text' in step) await send(wire.text(step.text));
    else if ('fault' in step) await send(wire.fault(step.fault, step.message ?? 'scripted fault'));
    else if ('raw' in step) await send([step.raw]);
    else if ('end' in step) {
      await send(wire.end({ inputTokens: 10, outputTokens: 5, ...step }));
      return void response.end();
    } else {
      hasCalls = true;
      const calls = 'calls' in step ? step.calls : [step.call];
      await send(wire.calls(calls.map((call, nth) => whole(call, `call_${heard.number}_${at}_${nth}`))));
    }
    if (response.destroyed) return;
  }
  await send(wire.end({ end: hasCalls ? 'calls' : 'stop', inputTokens: 10, outputTokens: 5 }));
  response.end();
}

function whole({ name, id, input = {}, pieces }: CallStep, fallbackId: string): Required<CallStep> {
  const text = JSON.stringify(input);
  const middle = Math.ceil(text.length / 2);
  const cut = [text.slice(0, middle), text.slice(middle)];
  return { name, input, id: id ?? fallbackId, pieces: pieces ?? cut };
}

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
