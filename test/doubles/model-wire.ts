// The two wire formats of models as a server writes them: steps of a script in, events of a stream out.
import type { CallStep, EndStep } from './model-server.ts';

export interface Wire {
  /** Opens the stream. */
  begin(model: string): string[];
  text(delta: string): string[];
  /** All calls of one step; each in pieces, and those of several calls by turns where the format allows it. */
  calls(calls: readonly Required<CallStep>[]): string[];
  /** An error in the middle of a stream. */
  fault(type: string, message: string): string[];
  end(step: Required<EndStep>): string[];
  /** The body of an answer that is an error from the start. */
  errorBody(type: string, message: string, code?: string): string;
  /** The body of the list of models. */
  models(ids: readonly string[]): string;
}

export function openAiWire(): Wire {
  let model = '';
  let calls = 0;
  const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
  const chunk = (delta: object, more: object = {}): string =>
    data({
      id: 'answer-1',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: null, ...more }],
    });
  return {
    begin(name) {
      model = name;
      return [chunk({ role: 'assistant', content: '' })];
    },
    text: delta => [chunk({ content: delta })],
    calls(list) {
      const begun = list.map(({ id, name, pieces }) => ({ id, name, pieces, index: calls++ }));
      const heads = begun.map(({ id, name, index }) =>
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      );
      const rounds = Math.max(...begun.map(({ pieces }) => pieces.length));
      const bodies = Array.from({ length: rounds }, (_, at) =>
        begun.flatMap(({ pieces, index }) => {
          const piece = pieces[at];
          return piece === undefined
            ? []
            : [chunk({ tool_calls: [{ index, function: { arguments: piece } }] })];
        }),
      );
      return [...heads, ...bodies.flat()];
    },
    fault: (type, message) => [data({ error: { message, type, code: type } })],
    end({ end, inputTokens, outputTokens }) {
      const reason = { stop: 'stop', length: 'length', refused: 'content_filter', calls: 'tool_calls' }[end];
      const usage = {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      };
      return [
        chunk({}, { finish_reason: reason }),
        data({ id: 'answer-1', object: 'chat.completion.chunk', created: 1, model, choices: [], usage }),
        'data: [DONE]\n\n',
      ];
    },
    errorBody: (type, message, code = type) =>
      JSON.stringify({ error: { message, type, code, param: null } }),
    models: ids => JSON.stringify({ object: 'list', data: ids.map(id => ({ id, object: 'model' })) }),
  };
}

export function anthropicWire(): Wire {
  let index = -1;
  let open: 'text' | undefined;
  const event = (type: string, value: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
  const start = (block: object): string =>
    event('content_block_start', { index: ++index, content_block: block });
  const stop = (): string => event('content_block_stop', { index });
  const closeText = (): string[] => {
    const was = open;
    open = undefined;
    return was ? [stop()] : [];
  };
  return {
    begin: model => [
      event('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
    ],
    text(delta) {
      const opening = open ? [] : [start({ type: 'text', text: '' })];
      open = 'text';
      return [
        ...opening,
        event('content_block_delta', { index, delta: { type: 'text_delta', text: delta } }),
      ];
    },
    calls: list => [
      ...closeText(),
      ...list.flatMap(({ id, name, pieces }) => [
        start({ type: 'tool_use', id, name, input: {} }),
        ...pieces.map(partial_json =>
          event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } }),
        ),
        stop(),
      ]),
    ],
    fault: (type, message) => [event('error', { error: { type, message } })],
    end({ end, inputTokens, outputTokens }) {
      const reason = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal', calls: 'tool_use' }[end];
      const usage = { input_tokens: inputTokens, output_tokens: outputTokens };
      return [
        ...closeText(),
        event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage }),
        event('message_stop', {}),
      ];
    },
    errorBody: (type, message) => JSON.stringify({ type: 'error', error: { type, message } }),
    models: ids =>
      JSON.stringify({
        data: ids.map(id => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })),
        has_more: false,
        first_id: ids[0] ?? null,
        last_id: ids.at(-1) ?? null,
      }),
  };
}
