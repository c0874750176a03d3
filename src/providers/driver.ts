// What differs between model APIs: an address, headers, and a library. Retries, time-outs, and the wording of faults stand
// above it once, in open-provider.ts.
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** Where a model is, and with which key. */
export interface ModelAddress {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
}

export interface ModelDriver {
  readonly defaultBaseUrl: string;
  /** What its own settings say; undefined = no key. */
  readonly key: string | undefined;
  /** The variable that the key comes from. */
  readonly keyVariable: string;
  /** The address as this API wants it; absent = as it was written. */
  completeUrl?(baseUrl: string): string;
  languageModel(address: ModelAddress): LanguageModelV4;
  /** What this API needs or can make use of besides; absent = nothing. Pure. */
  prepare?(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions;
  /** Where the list of models is, which both APIs give in the same form. */
  modelList(address: Pick<ModelAddress, 'baseUrl' | 'key'>): {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}
