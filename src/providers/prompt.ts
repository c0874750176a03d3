// Our history in the words of the library. Pure.
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import type { Message, ModelRequest, ToolCall, ToolSpec } from './provider.ts';

/** Servers refuse a message without text, and one of blanks alone. */
const NO_TEXT = '(no text)';

export function callOptions({ system, messages, tools }: ModelRequest): LanguageModelV4CallOptions {
  const first: LanguageModelV4Message[] = system === '' ? [] : [{ role: 'system', content: system }];
  return {
    prompt: [...first, ...messages.flatMap(libraryMessage)],
    ...(tools.length > 0 ? { tools: tools.map(libraryTool) } : {}),
  };
}

function libraryMessage(message: Message): LanguageModelV4Message[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: isBlank(message) ? NO_TEXT : message.text }] }];
    case 'assistant': {
      // Some models write line breaks before a call; as a text of its own that is refused.
      const text = isBlank(message) ? [] : [{ type: 'text' as const, text: message.text }];
      const calls = message.calls.map(call => ({
        type: 'tool-call' as const,
        toolCallId: call.id,
        toolName: call.name,
        input: inputOf(call),
      }));
      // One that was cut off before its first word keeps its place: turns have to take turns.
      const content =
        text.length + calls.length === 0 ? [{ type: 'text' as const, text: NO_TEXT }] : [...text, ...calls];
      return [{ role: 'assistant', content }];
    }
    case 'tool': {
      const content = message.answers.map(({ id, name, text, isError }) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: name,
        output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
      }));
      return content.length === 0 ? [] : [{ role: 'tool', content }];
    }
  }
}

function isBlank({ text }: { readonly text: string }): boolean {
  return text.trim() === '';
}

/** Both formats want an object; what the model wrote instead is still there for it to see. */
function inputOf({ input }: ToolCall): object {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return input.trim() === '' ? {} : { malformed_input: input };
}

function libraryTool({ name, description, parameters }: ToolSpec): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: parameters };
}
