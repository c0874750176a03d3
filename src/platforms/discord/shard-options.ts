// How the gateway client of the library is used: what it asks for, and how long it waits. Pure.
import type { IContextFetchingStrategy } from 'discord.js';

/** Servers and their channels, messages there, private messages, and what they say. */
const INTENTS = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);

export function shardOptions(url: string, token: string): IContextFetchingStrategy['options'] {
  return {
    gatewayInformation: { url } as never, // nothing else of it is read
    token,
    intents: INTENTS,
    shardCount: 1,
    version: '10',
    encoding: 'json' as never, // the only one there is
    compression: null,
    // The second must be the longer: what is still being made when it ends would have nobody for its errors.
    handshakeTimeout: 20_000,
    helloTimeout: 45_000,
    readyTimeout: 15_000,
    identifyProperties: { browser: 'hermes', device: 'hermes', os: process.platform },
    initialPresence: null,
    largeThreshold: null,
  };
}
