// Models behind Anthropic's Messages API.
import { createAnthropic } from '@ai-sdk/anthropic';
import type { SettingsReader } from '../../base/setting.ts';
import type { ModelDriver } from '../driver.ts';
import { forMessagesApi } from './for-messages-api.ts';
import type { section } from './settings.ts';

const VERSION = '2023-06-01';

export function createDriver(settings: SettingsReader<(typeof section)['settings']>): ModelDriver {
  return {
    defaultBaseUrl: 'https://api.anthropic.com/v1',
    key: settings.get('model.anthropic_api_key'),
    keyVariable: 'ANTHROPIC_API_KEY',
    // Everybody else's addresses of this API are written without the version.
    completeUrl: baseUrl => (new URL(baseUrl).pathname === '/' ? `${baseUrl}/v1` : baseUrl),
    languageModel: ({ baseUrl, model, key, fetch }) =>
      // Both are given in any case: the library would look for them in the environment.
      createAnthropic({ baseURL: baseUrl, apiKey: key ?? '', fetch }).languageModel(model),
    prepare: forMessagesApi,
    modelList: ({ baseUrl, key }) => ({
      url: `${baseUrl}/models?limit=1000`,
      headers: { 'anthropic-version': VERSION, 'x-api-key': key ?? '' },
    }),
  };
}
