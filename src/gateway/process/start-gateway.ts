// The gateway as a process: sandboxes first, then the doors for operators, and the part that talks to people last. It
// stops the other way round, within a time that is known.
import type { Clock } from '../../base/clock.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type { Invitation } from '../../platforms/platform.ts';
import { type Serving, serveSandboxes } from '../../sessions/serve.ts';
import type { SandboxWorld } from '../../sessions/world.ts';
import { controlRequests } from './control-requests.ts';
import { serveControl } from './control-server.ts';
import type { Heart } from './heart.ts';
import { serveHttp } from './http.ts';
import { createMetrics } from './metrics.ts';
import type { section } from './settings.ts';
import type { GatewayStatus } from './status.ts';

export interface ProcessParts {
  readonly world: SandboxWorld;
  readonly config: SettingsReader<(typeof section)['settings']>;
  readonly home: string;
  readonly pid: number;
  /** Of this machine. */
  readonly memoryBytes: number;
  readonly version: string;
  readonly supervisor: GatewayStatus['supervisor'];
  /** Where its log is written. */
  readonly logPath: string;
  /** Made when the sandboxes are served; absent = nobody is talked to. */
  readonly makeHeart?: (serving: Serving) => Heart | Promise<Heart>;
  /** The words after `hermes` that started it; `restart` uses them again. */
  readonly words: readonly string[];
  /** A command has asked that it ends; `stop` follows. */
  readonly onStopAsked: (purpose: 'end' | 'restart') => void;
  readonly signal?: AbortSignal;
}

export interface RunningGateway {
  readonly warnings: readonly string[];
  /** Said once, and not with every status. */
  readonly notes: readonly string[];
  /** For the eyes of whoever has started it. */
  readonly greeting: readonly string[];
  /** For them too, where no command can ask for one later. */
  readonly login?: Invitation;
  status(): Promise<GatewayStatus>;
  /** Never throws and never takes much longer than `gateway.stop_timeout`; what went wrong is in the log. */
  stop(): Promise<void>;
}

interface Step {
  readonly what: string;
  readonly mostMs: number;
  readonly close: () => Promise<void>;
}

/** How long each step of a stop may take. */
const STEP_MS = 5000;
/** What the platforms may take after `gateway.stop_timeout`; within that each of their own steps is bounded and named in the log. */
const PLATFORMS_MS = 20_000;

/** Throws what keeps it from starting; then nothing of it is left. */
export async function startGateway(parts: ProcessParts): Promise<RunningGateway> {
  const { world, config, home, pid, memoryBytes, signal } = parts;
  const { clock, log, redact } = world;
  const startedAt = clock.now();
  /** In the order of their start. */
  const steps: Step[] = [];
  let state: GatewayStatus['state'] = 'starting';
  const stop = async (): Promise<void> => {
    state = 'stopping';
    for (const step of steps.splice(0).reverse()) await endStep(world, step);
  };
  try {
    await world.store.installation.settleClock();
    const serving = await serveSandboxes(world, { home, pid, memoryBytes, ...(signal ? { signal } : {}) });
    steps.push({ what: 'sandboxes', mostMs: STEP_MS, close: serving.close });
    const heart = await parts.makeHeart?.(serving);
    // Those of the sandboxes are in the log already.
    const further = [...(heart?.warnings?.() ?? []), ...openHttp(config.get('gateway.http_host'))];
    // Every status repeats them, and they may quote a path or a setting (P7).
    const warnings = [...new Set([...serving.start.warnings, ...further])].map(redact);
    for (const text of warnings.slice(serving.start.warnings.length)) log.warn(text);
    const status = async (): Promise<GatewayStatus> => ({
      ...(await heart?.status()),
      ...statusOf(parts, serving),
      ...{ state, startedAt, http: http.url },
      warnings,
    });
    const http = await serveHttp({
      host: config.get('gateway.http_host'),
      port: config.get('gateway.http_port'),
      state: () => state,
      platforms: async () => (await heart?.status())?.platforms ?? [],
      metrics: () => createMetrics({ store: world.store, status }),
      log,
    });
    steps.push({ what: 'pages', mostMs: STEP_MS, close: http.close });
    const { words, onStopAsked } = parts;
    const handle = controlRequests({ world, serving, heart, status, words, onStopAsked });
    const control = await serveControl({ home, handle, redact, log });
    steps.push({ what: 'control socket', mostMs: STEP_MS, close: control.close });
    if (heart) {
      const timeoutMs = config.get('gateway.stop_timeout') * 1000;
      const close = (): Promise<void> => stopHeart(heart, clock, timeoutMs);
      steps.push({ what: 'platforms', mostMs: timeoutMs + PLATFORMS_MS, close });
      await heart.start();
    }
    state = 'ready';
    log.info(
      { pid, http: http.url, version: parts.version, startMs: clock.now() - startedAt },
      'gateway is ready',
    );
    const reader = parts.supervisor === 'none' ? 'person' : 'journal';
    const isShared = serving.start.policy.isolation === 'none';
    const login = isShared && reader === 'person' ? await heart?.ownerLink?.() : undefined;
    return {
      warnings,
      notes: serving.start.notes,
      greeting: (await heart?.greeting?.(reader)) ?? [],
      ...(login ? { login } : {}),
      status,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function statusOf({ pid, version, supervisor, logPath }: ProcessParts, { start: { policy } }: Serving) {
  const { backend, image, isolation, network } = policy;
  const sandboxes = { backend: backend.value, image: image.value, isolation, network: network.value };
  return { pid, version, supervisor, log: logPath, sandboxes };
}

function openHttp(host: string): string[] {
  if (isLoopback(host)) return [];
  return [
    `⚠ gateway.http_host is ${host}: whoever reaches it can read the figures of this gateway. Use 127.0.0.1 unless something stands before it.`,
  ];
}

/** What still runs when the time is over is left as it stands in the store, and goes on after the next start. */
async function stopHeart(heart: Heart, clock: Clock, timeoutMs: number): Promise<void> {
  const late = new AbortController();
  const timer = clock.after(timeoutMs, () => late.abort(), { keepAlive: true });
  try {
    await heart.stop({ signal: late.signal });
  } finally {
    timer.cancel();
  }
}

/** Whatever becomes of one of them, the next one is closed too. */
async function endStep({ clock, log }: SandboxWorld, { what, mostMs, close }: Step): Promise<void> {
  const late = Promise.withResolvers<never>();
  const fail = (): void => late.reject(new Error(`it takes longer than ${mostMs / 1000} s`));
  const timer = clock.after(mostMs, fail, { keepAlive: true });
  try {
    await Promise.race([close(), late.promise]);
  } catch (error) {
    log.error({ err: error, what }, 'a part of the gateway did not stop');
  } finally {
    timer.cancel();
  }
}
