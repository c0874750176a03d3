// What a model's API is to the rest: one question with history and tools in, a stream of events out. A driver knows its
// wire format and its library; everything about conversations stands above it, in agent/.
import type { Abortable } from '../base/abortable.ts';

/** One tool call as the model wrote it; whether the input makes sense is for the tool to say. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, perhaps malformed. */
  readonly input: string;
}

export interface ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

/** Plain JSON: this is what the history keeps. Every call of an assistant's message has an answer in the next one. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly answers: readonly ToolAnswer[] };

/** What a model is told about a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  /** Whole, however many pieces it came in. */
  | { readonly type: 'call'; readonly call: ToolCall }
  /** The server wants us to wait; it is tried again by the driver. For whoever waits. */
  | { readonly type: 'waiting'; readonly reason: string; readonly seconds: number }
  /** Always the last one of an answer that came through. */
  | { readonly type: 'end'; readonly reason: 'stop' | 'calls' | 'length' | 'refused'; readonly usage: Usage };

/**
 * One model behind one address. Errors are HermesErrors: AUTH_MODEL_KEY, CONFIG_MODEL_UNKNOWN, USAGE_CONTEXT_FULL,
 * UNAVAILABLE_MODEL_BUSY when the server's limit lasts longer than we wait, UNAVAILABLE_MODEL for everything else; what had
 * arrived before has been given out. A request is sent again only while nothing of its answer has arrived (P10).
 */
export interface Provider {
  /** As in the configuration. */
  readonly name: string;
  readonly model: string;
  /** Ends with an `end` event or throws. Aborting rejects with the signal's reason. */
  stream(request: ModelRequest, options?: Abortable): AsyncIterable<ModelEvent>;
  /** The models that the server offers; throws as `stream` does. */
  models(options?: Abortable): Promise<readonly string[]>;
}
