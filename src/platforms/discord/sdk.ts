// The two parts of discord.js that are used: its REST client and one shard of its gateway client. The rest of it keeps every
// server, channel and member in memory and takes an event as read before we could store it (P12); it is 15 MB and a tenth of a
// second more to load, too. The parts are found from where discord.js stands, so its version decides theirs.
import { createRequire } from 'node:module';
import type { IContextFetchingStrategy, REST } from 'discord.js';

/** One connection to the gateway, as far as it is used here; discord.js has another class of the same name. */
export interface Shard {
  /** 0 = it has no connection, and is about to ask for its session. */
  readonly status: number;
  on(event: 'hello' | 'ready' | 'resumed', listener: () => void): void;
  on(event: 'closed', listener: (closed: { readonly code: number }) => void): void;
  on(event: 'error', listener: (failed: { readonly error: Error }) => void): void;
  on(event: 'dispatch', listener: (dispatch: { readonly data: unknown }) => void): void;
  /** Resolves with the first session. */
  connect(): Promise<void>;
  /** `recover` 1 = comes back and resumes; absent = it stays closed. */
  destroy(options: {
    readonly code: number;
    readonly reason?: string;
    readonly recover?: number;
  }): Promise<void>;
  send(frame: { readonly op: number; readonly d: unknown }): Promise<void>;
}

export interface Sdk {
  readonly REST: typeof REST;
  readonly WebSocketShard: new (strategy: IContextFetchingStrategy, id: number) => Shard;
}

/** Takes a fifth of a second the first time: call it when a connection is made, never before. */
export function loadSdk(): Sdk {
  const own = createRequire(import.meta.url);
  const theirs = createRequire(own.resolve('discord.js'));
  const rest = theirs('@discordjs/rest') as Pick<Sdk, 'REST'>; // discord.js exports the same, and the types are from there
  const ws = theirs('@discordjs/ws') as Pick<Sdk, 'WebSocketShard'>; // as above
  return { REST: rest.REST, WebSocketShard: ws.WebSocketShard };
}
