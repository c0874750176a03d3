// The configured model, if there is one.
import type { Clock } from '../base/clock.ts';
import type { SettingsReader } from '../base/setting.ts';
import { type ProviderName, providerDrivers } from './index.generated.ts';
import { openProvider } from './open-provider.ts';
import type { Provider } from './provider.ts';
import type { section } from './settings.ts';

type All<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Driver = Awaited<ReturnType<(typeof providerDrivers)[ProviderName]>>;

/** What is read of the configuration: the settings of models, those of every driver, and the variable of a key. */
export type ModelConfig = SettingsReader<(typeof section)['settings']> &
  All<Parameters<Driver['createDriver']>[0]> & { variable(name: string): string | undefined };

export interface CreateProviderOptions {
  readonly clock: Clock;
  /** 0 ≤ x < 1; spreads retries. */
  readonly random?: () => number;
  /** Hides secrets in what the server says about a failure (P7). */
  readonly redact: (text: string) => string;
}

/** Undefined when no model is configured, which is a state and no error. */
export async function createProvider(
  config: ModelConfig,
  options: CreateProviderOptions,
): Promise<Provider | undefined> {
  const model = config.get('model.name');
  return model === undefined ? undefined : providerFor(model, config, options);
}

/** That model on the configured server. */
export async function providerFor(
  model: string,
  config: ModelConfig,
  { clock, random = Math.random, redact }: CreateProviderOptions,
): Promise<Provider> {
  const name = config.get('model.provider');
  const driver = (await providerDrivers[name]()).createDriver(config);
  const written = (config.get('model.base_url') ?? driver.defaultBaseUrl).replace(/\/+$/, '');
  const named = config.get('model.api_key_env');
  return openProvider(driver, {
    name,
    model,
    baseUrl: driver.completeUrl?.(written) ?? written,
    key: named === undefined ? driver.key : config.variable(named),
    keyVariable: named ?? driver.keyVariable,
    silenceSeconds: config.get('model.timeout'),
    maxOutputTokens: config.get('model.max_output_tokens'),
    clock,
    random,
    redact,
  });
}
