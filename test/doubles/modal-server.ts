// A protocol double of Modal's cloud on loopback: the calls that the real SDK makes, over real gRPC, with sandboxes that
// run their commands in real namespaces. It says nothing about Modal's own scheduler, images and prices.
import { createServer, type ServiceImplementation } from 'nice-grpc';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { controlCalls } from './modal-control.ts';
import { ModalFaults } from './modal-faults.ts';
import { RESULT } from './modal-images.ts';
import { commandRouter, controlPlane } from './modal-proto.ts';
import { type Relay, startRelay, straightTo } from './modal-relay.ts';
import { routerCalls } from './modal-router.ts';
import { type DoubleSandbox, ModalState } from './modal-state.ts';

export interface ModalDoubleOptions {
  /** For the sandboxes' files; removed by whoever made it. */
  readonly dir: string;
  readonly bwrap: string;
  /** Each way; absent = none, and a road that cannot be cut. */
  readonly latencyMs?: number;
  /** For the ends of sandboxes by their age and by idleness. Absent = the system's. */
  readonly clock?: Clock;
}

export interface ModalDouble {
  readonly url: string;
  readonly tokenId: string;
  readonly tokenSecret: string;
  readonly faults: ModalFaults;
  /** Sandboxes of others in the workspace that a call wanted to end; a driver wants none. */
  readonly trespasses: readonly string[];
  /** How many connections were refused while it was cut. */
  refused(): number;
  /** Those that run, and are billed. */
  living(): readonly DoubleSandbox[];
  snapshots(): readonly string[];
  removeImage(id: string): Promise<boolean>;
  removeApp(name: string): void;
  /** Ends one behind everybody's back. */
  remove(name: string): Promise<void>;
  /** Its time is up. */
  expire(name: string): Promise<void>;
  /** All output streams break off; what they were to carry is kept. */
  dropStreams(): void;
  /** Tokens for the second server hold no longer. */
  expireTokens(): void;
  /** No connection gets through until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

export async function startModalDouble(options: ModalDoubleOptions): Promise<ModalDouble> {
  const { dir, bwrap, latencyMs, clock = systemClock } = options;
  const state = new ModalState({ dir, bwrap, clock });
  const faults = new ModalFaults();
  const credentials = { tokenId: 'ak-double', tokenSecret: 'as-double-secret-of-nobody' };
  const router = routerCalls(state);
  const routerServer = createServer(LARGE).use(faults.middleware);
  routerServer.add(commandRouter, router.calls as unknown as ServiceImplementation<typeof commandRouter>); // by the same file
  const roadTo = async (port: number): Promise<Relay> =>
    latencyMs === undefined ? straightTo(port) : startRelay(port, latencyMs);
  const routerRelay = await roadTo(await routerServer.listen(`${HOST}:0`));
  const access = () => ({ jwt: router.newToken(), url: `https://${HOST}:${routerRelay.port}` });
  const calls = controlCalls({ state, access, ...credentials });
  const server = createServer(LARGE).use(faults.middleware);
  server.add(controlPlane, calls as ServiceImplementation<typeof controlPlane>); // by the same file
  const relay = await roadTo(await server.listen(`${HOST}:0`));
  const relays: readonly Relay[] = [relay, routerRelay];
  const named = (name: string): DoubleSandbox[] => state.living().filter(sandbox => sandbox.name === name);
  return {
    url: `http://${HOST}:${relay.port}`,
    ...credentials,
    faults,
    living: () => state.living(),
    trespasses: state.trespasses,
    refused: () => relays.reduce((sum, each) => sum + each.refused(), 0),
    snapshots: () => state.images.snapshots(),
    removeImage: id => state.images.remove(id),
    removeApp: name => state.removeApp(name),
    remove: async name => void (await Promise.all(named(name).map(sandbox => state.end(sandbox)))),
    expire: async name =>
      void (await Promise.all(named(name).map(sandbox => state.end(sandbox, RESULT.timeout)))),
    dropStreams: router.dropStreams,
    expireTokens: router.expireTokens,
    cut: () => relays.forEach(each => void each.cut()),
    mend: () => relays.forEach(each => void each.mend()),
    async close() {
      await Promise.all(state.living().map(sandbox => state.end(sandbox)));
      server.forceShutdown();
      routerServer.forceShutdown();
      await Promise.all(relays.map(each => each.close()));
    },
  };
}

/** Files cross in pieces of any size. */
const LARGE = { 'grpc.max_receive_message_length': 100 * 1024 * 1024 };
