// What listens at the gateway, put together: the socket, what takes its events in, and what looks for those that were missed.

import type { Limits } from '../limits.ts';
import type { ConnectOptions, PlatformContext } from '../platform.ts';
import type { Application } from './account.ts';
import { CatchUp } from './catch-up.ts';
import type { Channels } from './channels.ts';
import type { Client } from './client.ts';
import { sessionPace } from './gateway-address.ts';
import { Intake } from './intake.ts';
import type { Interactions } from './interactions.ts';
import { Kept } from './kept.ts';
import type { ParseOptions } from './parse.ts';
import type { Places } from './places.ts';
import { loadSdk } from './sdk.ts';
import { GatewaySocket } from './socket.ts';

export interface ListenerOptions
  extends Pick<ConnectOptions, 'receive' | 'onState'>,
    Pick<ParseOptions, 'freeChannels' | 'threads'> {
  readonly context: PlatformContext;
  readonly client: Client;
  readonly account: Application;
  /** Of the gateway. */
  readonly url: string;
  readonly limits: Limits;
  readonly places: Places;
  readonly interactions: Interactions;
  readonly channels: Channels;
}

export interface Listener {
  /** Resolves when events come, and come again after a crash. Throws as `GatewaySocket.opened` does. */
  readonly opened: Promise<void>;
  /** Resolves when nothing is being received any more; what was is acknowledged. */
  stop(): Promise<void>;
}

export async function listen(options: ListenerOptions): Promise<Listener> {
  const { context, client, account, url, places, interactions, limits, channels } = options;
  const { clock, log, home } = context;
  const kept = await Kept.open({ home, account: account.id, clock, log });
  const intake = new Intake({
    ...{ account, clock, log, places, interactions, kept },
    ...{ receive: options.receive, freeChannels: options.freeChannels, threads: options.threads },
    onTopic: (id, text) => channels.noteTopic(id, text),
    onGuild(payload) {
      const guild = places.noteGuild(payload);
      if (guild) catchUp.look(guild);
    },
    onRoom: () => socket.reconnect(),
  });
  const catchUp = new CatchUp({ client, intake, kept, limits, log });
  const socket = new GatewaySocket({
    ...{ sdk: loadSdk(), endpoint: client.endpoint, clock, log, url, session: kept.session },
    onState: options.onState,
    acknowledged: () => intake.acknowledged,
    onSession(session) {
      intake.begin(session);
      catchUp.begin();
    },
    onDispatch: dispatch => intake.take(dispatch),
    mayIdentify: sessionPace(client),
  });
  return {
    opened: socket.opened.then(() => kept.written()),
    async stop() {
      await socket.acknowledge();
      await intake.stop();
      await socket.acknowledge();
      await socket.stop();
      await kept.close();
    },
  };
}
