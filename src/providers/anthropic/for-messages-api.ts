// What the Messages API wants of a conversation besides: marks for its cache, and ids of its own form. Pure.
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

export function forMessagesApi(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const last = options.prompt.length - 1;
  // The system prompt, and everything so far: the next call begins with the same words, at a tenth of their price.
  const prompt = options.prompt.map((message, at) =>
    at === 0 || at === last ? { ...message, providerOptions: CACHED } : message,
  );
  return { ...options, prompt: withOwnIds(prompt) };
}

/** A history may have been begun with another provider, whose ids this API refuses. */
function withOwnIds(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const own = (id: string): string => id.replace(/[^\w-]/g, '_');
  return prompt.map(message => {
    if (message.role === 'assistant') {
      const content = message.content.map(part =>
        part.type === 'tool-call' ? { ...part, toolCallId: own(part.toolCallId) } : part,
      );
      return { ...message, content };
    }
    if (message.role !== 'tool') return message;
    const content = message.content.map(part =>
      part.type === 'tool-result' ? { ...part, toolCallId: own(part.toolCallId) } : part,
    );
    return { ...message, content };
  });
}
