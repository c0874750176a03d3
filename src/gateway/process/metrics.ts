// What `/metrics` shows, in Prometheus' words. Everything is looked up when it is asked for; prom-client is loaded then.
import type { Registry } from 'prom-client';
import type { Store } from '../../store/store.ts';
import type { GatewayStatus } from './status.ts';

export interface MetricSources {
  readonly store: Store;
  readonly status: () => Promise<GatewayStatus>;
}

export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

export async function createMetrics({ store, status }: MetricSources): Promise<Metrics> {
  const { Gauge, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
    new Gauge<Label>({ name: `hermes_${name}`, help, labelNames: labels, registers: [registry] });
  const info = gauge('gateway_info', 'Version and state of the gateway.', ['version', 'state', 'backend']);
  const started = gauge('gateway_start_time_seconds', 'When the gateway was started.', []);
  const sandboxes = gauge('sandboxes', 'Sandboxes by state.', ['state']);
  const approvals = gauge('approvals_pending', 'Questions that wait for an answer.', []);
  const platforms = gauge('platform_connected', '1 when the platform is connected.', ['platform']);
  const runs = gauge('runs', 'Runs that are active, and that wait.', ['state']);
  const fill = async (): Promise<void> => {
    const now = await status();
    info.reset();
    info.set({ version: now.version, state: now.state, backend: now.sandboxes.backend }, 1);
    started.set(now.startedAt / 1000);
    sandboxes.reset();
    for (const [state, count] of await sandboxesByState(store)) sandboxes.set({ state }, count);
    approvals.set((await store.approvals.pending()).length);
    platforms.reset();
    for (const { name, state } of now.platforms ?? [])
      platforms.set({ platform: name }, state === 'connected' ? 1 : 0);
    for (const state of ['active', 'waiting'] as const) runs.set({ state }, now.runs?.[state] ?? 0);
    for (const [name, sum] of Object.entries(now.counters ?? {})) await setCounter(registry, name, sum);
  };
  return {
    contentType: registry.contentType,
    async text() {
      await fill();
      return registry.metrics();
    },
  };
}

/** How many sandboxes there are in each state; those that are gone are not counted. */
export async function sandboxesByState(store: Store): Promise<ReadonlyMap<string, number>> {
  const { EXISTING_STATES } = await import('../../store/sandbox-states.ts');
  const counts = new Map<string, number>();
  for (const { state } of await store.ledger.list({ states: EXISTING_STATES })) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return counts;
}

/** The heart keeps the sums; a counter of prom-client can only be added to. */
async function setCounter(registry: Registry, name: string, sum: number): Promise<void> {
  const { Counter } = await import('prom-client');
  const full = `hermes_${name}_total`;
  const found = registry.getSingleMetric(full);
  const counter =
    found instanceof Counter
      ? found
      : new Counter({
          name: full,
          help: `${name.replaceAll('_', ' ')}, since the start.`,
          registers: [registry],
        });
  counter.reset();
  counter.inc(sum);
}
