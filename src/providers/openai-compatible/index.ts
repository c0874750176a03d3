// Models behind any server that speaks OpenAI's Chat Completions.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { SettingsReader } from '../../base/setting.ts';
import type { ModelDriver } from '../driver.ts';
import type { section } from './settings.ts';

export function createDriver(settings: SettingsReader<(typeof section)['settings']>): ModelDriver {
  return {
    defaultBaseUrl: 'https://api.openai.com/v1',
    key: settings.get('model.openai_api_key'),
    keyVariable: 'OPENAI_API_KEY',
    languageModel: ({ baseUrl, model, key, fetch }) =>
      createOpenAICompatible({
        name: 'model',
        baseURL: baseUrl,
        fetch,
        // Without it the stream says nothing of tokens.
        includeUsage: true,
        ...(key === undefined ? {} : { apiKey: key }),
      }).chatModel(model),
    modelList: ({ baseUrl, key }) => ({
      url: `${baseUrl}/models`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    }),
  };
}
