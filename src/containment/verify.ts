// Verifies a backend: opens a sandbox and one of another session, tries every probe, and says of each what was expected
// and what was found.
import { tmpdir } from 'node:os';
import type { Backend, Enforcement, Limits, Mount, Sandbox, SandboxSpec } from '../backends/backend.ts';
import type { Clock } from '../base/clock.ts';
import { isHermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { SandboxHandle } from '../sandboxes/handle.ts';
import { type Addresses, type Host, openHost } from './host.ts';
import {
  type Finding,
  type Ground,
  type Place,
  type Policy,
  type Probe,
  unknown,
  type Verdict,
} from './probe.ts';

export interface VerifyOptions {
  /** Makes the backend with a variable planted in its environment. */
  makeBackend(planted: { readonly name: string; readonly value: string }): Promise<Backend>;
  /** What the sandboxes are made of, besides id, installation, limits and environment. */
  spec(backend: Backend): Partial<SandboxSpec>;
  readonly probes: readonly Probe[];
  readonly addresses: Addresses;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Hears which probe is being tried. */
  readonly progress?: (text: string) => void;
  /** How a sandbox takes commands; absent = over the shell channel. */
  readonly enter?: (sandbox: Sandbox) => Promise<Place>;
}

export interface VerifyRow extends Finding {
  readonly id: string;
  readonly title: string;
  readonly expected: Verdict;
  /** As expected, or better. */
  readonly ok: boolean;
}

export interface VerifyReport {
  readonly backend: string;
  readonly isolation: Policy['isolation'];
  readonly network: Policy['network'];
  readonly rows: readonly VerifyRow[];
  readonly summary: Readonly<Record<Verdict, number>> & { readonly unexpected: number };
}

const PROBE_MS = 60_000;
const TRIAL_LIMITS: Limits = { cpus: 0.5, memoryMiB: 256, diskMiB: 256, processes: 64 };

export async function verifyContainment(options: VerifyOptions): Promise<VerifyReport> {
  const planted = { name: `HERMES_CANARY_${newId().toUpperCase()}`, value: `planted-${newId()}` };
  const backend = await options.makeBackend(planted);
  const host = await openHost({ tmpDir: tmpdir(), addresses: options.addresses, planted });
  const sandboxes = new Sandboxes(backend, host, options);
  try {
    const { network } = sandboxes.spec;
    const first = await sandboxes.open();
    const neighbour = await sandboxes.open();
    // A backend says how far limits hold only of those that it was given.
    const limited = await sandboxes.open(TRIAL_LIMITS);
    await limited.place.destroy();
    const policy: Policy = {
      isolation: backend.capabilities.isolation,
      ownProcesses: backend.capabilities.ownProcesses,
      network: network ?? backend.capabilities.networks[0] ?? 'open',
      enforcement: limited.enforcement,
      mounts: sandboxes.spec.mounts ?? [],
      canMount: backend.capabilities.mounts,
      canaryFolder: host.folder,
      hasLan: host.lan !== undefined,
    };
    const ground: Ground = {
      policy,
      clock: options.clock,
      place: first.place,
      neighbour: neighbour.place,
      host,
      open: async (limits, mounts) => (await sandboxes.open(limits, mounts)).place,
    };
    const rows: VerifyRow[] = [];
    for (const probe of options.probes) {
      options.signal?.throwIfAborted();
      options.progress?.(probe.id);
      rows.push(await tryProbe(probe, ground));
    }
    return report(backend.name, policy, rows);
  } finally {
    await closeAll([() => sandboxes.destroyAll(), () => host.close(), () => backend.close()]);
  }
}

/** The sandboxes of one verification, all of them destroyed at its end. */
class Sandboxes {
  readonly spec: Partial<SandboxSpec>;
  readonly #backend: Backend;
  readonly #options: VerifyOptions;
  readonly #made: { destroy(): Promise<void> }[] = [];

  constructor(backend: Backend, host: Host, options: VerifyOptions) {
    this.#backend = backend;
    this.#options = options;
    // On this very machine the probes get a folder of ours to work in, not the operator's.
    const cwd = backend.capabilities.isolation === 'none' ? { cwd: host.folder } : {};
    this.spec = { ...cwd, ...options.spec(backend) };
  }

  async open(
    limits: Limits = {},
    mounts: readonly Mount[] = [],
  ): Promise<{ place: Place; enforcement: Enforcement }> {
    const { clock, signal, enter } = this.#options;
    const spec: SandboxSpec = {
      id: newId(),
      installation: 'verify',
      env: {},
      persistent: false,
      ...this.spec,
      limits: { ...this.spec.limits, ...limits },
      mounts: [...(this.spec.mounts ?? []), ...mounts],
    };
    const sandbox = await this.#backend.create(spec, signal ? { signal } : {});
    this.#made.push(sandbox);
    const place = enter ? await enter(sandbox) : await SandboxHandle.open({ sandbox, clock });
    this.#made.push(place);
    return { place, enforcement: sandbox.enforcement };
  }

  async destroyAll(): Promise<void> {
    // Places before their sandboxes.
    await closeAll(this.#made.reverse().map(each => () => each.destroy()));
  }
}

/** One that cannot be removed must not keep the others. Throws the first failure. */
async function closeAll(closings: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closings) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function tryProbe(probe: Probe, ground: Ground): Promise<VerifyRow> {
  const { policy } = ground;
  const isElsewhere = policy.isolation === 'remote' && !probe.judgedBySandboxes;
  const expected = isElsewhere ? 'not enforceable here' : probe.expected(policy);
  const finding = isElsewhere
    ? unknown('it runs on another machine, with the rights of that account')
    : await attempt(probe, ground);
  const ok = finding.verdict === expected || finding.verdict === 'contained';
  return { id: probe.id, title: probe.title, expected, ...finding, ok };
}

async function attempt(probe: Probe, ground: Ground): Promise<Finding> {
  const late = Promise.withResolvers<Finding>();
  const timer = ground.clock.after(
    PROBE_MS,
    () => late.resolve(unknown(`it took longer than ${PROBE_MS / 1000} s`)),
    { keepAlive: true },
  );
  try {
    return await Promise.race([probe.attempt(ground), late.promise]);
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return unknown(`${error.code}: ${error.message}`);
  } finally {
    timer.cancel();
  }
}

function report(backend: string, policy: Policy, rows: readonly VerifyRow[]): VerifyReport {
  const count = (verdict: Verdict): number => rows.filter(row => row.verdict === verdict).length;
  return {
    backend,
    isolation: policy.isolation,
    network: policy.network,
    rows,
    summary: {
      contained: count('contained'),
      'not contained': count('not contained'),
      'not enforceable here': count('not enforceable here'),
      unexpected: rows.filter(row => !row.ok).length,
    },
  };
}
