// What the section `model` of the original comes to. Its keys are read together: a name alone does not say whose model it is.

export interface OriginalModel {
  /** By our settings; empty = no model is connected. */
  readonly settings: Readonly<Record<string, string>>;
  /** Why nothing could be taken, and what to do. */
  readonly refused?: string;
}

interface Server {
  /** How it is spoken to, as ours are called. */
  readonly provider: string;
  /** Where it is, unless an address is written. */
  readonly address?: string;
  /** Works without any address, at the provider's own. */
  readonly hasOwnAddress?: true;
  /** The name is one of ours. */
  readonly isOurs?: true;
}

const COMPATIBLE = { provider: 'openai-compatible' } as const;

/** By what is written as the provider; of others nobody here knows the server. */
const SERVERS: Readonly<Record<string, Server>> = {
  anthropic: { provider: 'anthropic', hasOwnAddress: true, isOurs: true },
  'openai-compatible': { ...COMPATIBLE, isOurs: true },
  auto: COMPATIBLE,
  custom: COMPATIBLE,
  vllm: COMPATIBLE,
  llamacpp: COMPATIBLE,
  'llama.cpp': COMPATIBLE,
  openrouter: { ...COMPATIBLE, address: 'https://openrouter.ai/api/v1' },
  openai: { ...COMPATIBLE, address: 'https://api.openai.com/v1' },
  'openai-api': { ...COMPATIBLE, address: 'https://api.openai.com/v1' },
  ollama: { ...COMPATIBLE, address: 'http://127.0.0.1:11434/v1' },
  lmstudio: { ...COMPATIBLE, address: 'http://127.0.0.1:1234/v1' },
};

/** Undefined when the section is written as ours is, so that nothing need be translated. */
export function readModel(section: Readonly<Record<string, unknown>>): OriginalModel | undefined {
  const text = (key: string): string | undefined => {
    const value = section[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const provider = text('provider')?.toLowerCase();
  const original = text('default') ?? text('model');
  const server = Object.hasOwn(SERVERS, provider ?? 'auto') ? SERVERS[provider ?? 'auto'] : undefined;
  const isOurs = provider === undefined || server?.isOurs === true;
  // Our own key decides, whatever stands beside it.
  if (isOurs && (original === undefined || text('name') !== undefined)) return undefined;
  const name = text('name') ?? original;
  const named: Readonly<Record<string, string>> = name === undefined ? {} : { 'model.name': name };
  const address = text('base_url');
  const found = server && settingsOf(server, address);
  if (found === undefined) {
    const what = server ? 'Its server is not written' : `The provider ${provider} is not known here`;
    return { settings: {}, refused: `${what}, so no model is connected. Connect one: hermes model set` };
  }
  return { settings: { ...named, ...found } };
}

function settingsOf(server: Server, written: string | undefined): Record<string, string> | undefined {
  const { provider, hasOwnAddress } = server;
  const address = written ?? server.address;
  if (address === undefined) return hasOwnAddress ? { 'model.provider': provider } : undefined;
  // A key goes to the server that it belongs to, and to no other.
  const isOpenRouter = URL.parse(address)?.hostname === 'openrouter.ai';
  return {
    'model.provider': provider,
    'model.base_url': address,
    ...(isOpenRouter ? { 'model.api_key_env': 'OPENROUTER_API_KEY' } : {}),
  };
}
