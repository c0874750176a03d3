// The settings of the openai-compatible provider.
import { text } from '../../base/kinds.ts';
import { defineSection, optional } from '../../base/setting.ts';

export const section = defineSection({
  title: 'OpenAI-compatible models',
  doc: 'OpenAI itself, OpenRouter, Ollama, vLLM, llama.cpp and whatever else speaks Chat Completions.',
  settings: {
    'model.openai_api_key': optional(text('a key'), {
      env: 'OPENAI_API_KEY',
      secret: true,
      unset: 'none is sent; local servers want none',
      doc: 'Key for an OpenAI-compatible server.',
    }),
  },
});
