// A model on loopback that speaks the OpenAI-compatible and Anthropic wire formats and answers what tests told it to.
import { LLMock } from '@copilotkit/aimock';
import type { Service } from './service.ts';

export interface ModelAddress {
  /** For OpenAI-compatible clients: has /chat/completions below it. */
  readonly openAiUrl: string;
  /** For Anthropic clients: has /v1/messages below it. */
  readonly anthropicUrl: string;
  /** Tests POST fixtures to `/fixtures` below it, read what was asked from `/journal`, and forget all with POST `/reset`. */
  readonly controlUrl: string;
}

export const model: Service<ModelAddress> = {
  name: 'model',
  async start() {
    const mock = new LLMock({ host: '127.0.0.1', port: 0, logLevel: 'silent' });
    await mock.start();
    return {
      address: {
        openAiUrl: `${mock.url}/v1`,
        anthropicUrl: mock.url,
        controlUrl: `${mock.url}/__aimock`,
      },
      stop: () => mock.stop(),
    };
  },
};
