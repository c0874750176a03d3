// A provider as the configuration makes it, on a scripted server, and its answer as one value.
import { systemClock } from '../../../src/base/clock.ts';
import { asHermesError, type HermesError } from '../../../src/base/errors.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { type CreateProviderOptions, createProvider } from '../../../src/providers/create.ts';
import type { ModelEvent, ModelRequest, Provider } from '../../../src/providers/provider.ts';
import type { ModelServer } from '../../doubles/model-server.ts';

export const WIRES = ['openai-compatible', 'anthropic'] as const;
export type WireName = (typeof WIRES)[number];

export interface ProviderAt extends Partial<CreateProviderOptions> {
  readonly settings?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function providerAt(
  { openAiUrl, anthropicUrl }: Pick<ModelServer, 'openAiUrl' | 'anthropicUrl'>,
  wire: WireName,
  { settings = {}, environment = {}, ...options }: ProviderAt = {},
): Promise<Provider> {
  const all = {
    'model.provider': wire,
    'model.base_url': wire === 'anthropic' ? anthropicUrl : openAiUrl,
    'model.name': 'test-model',
    ...settings,
  };
  const flags = Object.fromEntries(Object.entries(all).map(([key, text]) => [key, { flag: key, text }]));
  const config = await loadHermesConfig({ HERMES_HOME: '/nonexistent', ...environment }, flags);
  const provider = await createProvider(config, {
    clock: systemClock,
    random: () => 0,
    redact: text => text,
    ...options,
  });
  if (!provider) throw new Error('a model is configured');
  return provider;
}

export function question(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'You are a test.', messages: [{ role: 'user', text }], tools: [], ...more };
}

export interface Outcome {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly error?: HermesError;
}

/** Everything that came, and the error that it ended with, if it did. */
export async function hear(stream: AsyncIterable<ModelEvent>): Promise<Outcome> {
  const events: ModelEvent[] = [];
  const outcome = () => ({
    events,
    text: events.map(each => (each.type === 'text' ? each.delta : '')).join(''),
  });
  try {
    for await (const event of stream) events.push(event);
    return outcome();
  } catch (error) {
    return { ...outcome(), error: asHermesError(error) };
  }
}
