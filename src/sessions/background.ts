// What runs in the background of sandboxes: watched to its end, and looked for before a sandbox is retired (P5).
import { isHermesError } from '../base/errors.ts';
import { lastLines, plainOutput } from '../base/last-lines.ts';
import type { BackgroundProcess } from '../sandboxes/background-process.ts';
import type { LedgerEntry } from '../store/ledger.ts';
import type { ProcessEnd, ProcessRef } from '../store/processes.ts';
import type { SandboxLife } from './life.ts';
import { inPhase } from './phase.ts';
import type { SandboxPolicy } from './policy.ts';
import type { SandboxWorld } from './world.ts';

export class Background {
  readonly #world: SandboxWorld;
  readonly #life: SandboxLife;
  readonly #onEnd: () => void;
  readonly #watched = new Set<string>();

  /** `onEnd`: told whenever one is over; its sandbox may make room then. */
  constructor(world: SandboxWorld, life: SandboxLife, onEnd: () => void) {
    this.#world = world;
    this.#life = life;
    this.#onEnd = onEnd;
  }

  /** Writes its end down when it comes, and how it goes on at every check. */
  watch(ref: ProcessRef, process: BackgroundProcess, checkIntervalMs?: number): void {
    const { store, log } = this.#world;
    const key = `${ref.sandboxId}/${ref.id}`;
    if (this.#watched.has(key)) return;
    this.#watched.add(key);
    const over = new AbortController();
    if (checkIntervalMs !== undefined) this.#checkEvery(checkIntervalMs, { ref, process, over: over.signal });
    process
      .wait()
      .then(async state => store.processes.end(ref, endOf(state), await this.#lastOutput(process)))
      .then(this.#onEnd)
      // The sandbox went, or the gateway ends: whoever looks next finds out what became of it.
      .catch(error => log.debug({ process: ref.id, error: String(error) }, 'process is watched no longer'))
      .finally(() => {
        over.abort();
        this.#watched.delete(key);
      });
  }

  #checkEvery(
    everyMs: number,
    watched: { readonly ref: ProcessRef; readonly process: BackgroundProcess; readonly over: AbortSignal },
  ): void {
    const { store, log, clock } = this.#world;
    const { ref, process, over } = watched;
    const timer = clock.after(everyMs, () => {
      this.#lastOutput(process)
        .then(output => store.processes.checked(ref, output))
        .catch(error => log.warn({ process: ref.id, error: String(error) }, 'failed to check a process'))
        .finally(() => {
          if (!over.aborted) this.#checkEvery(everyMs, watched);
        });
    });
    over.addEventListener('abort', () => timer.cancel(), { once: true });
  }

  /** Redacted before it is cut (P7); undefined when its log cannot be read. */
  async #lastOutput(process: BackgroundProcess): Promise<string | undefined> {
    const { log, redact } = this.#world;
    try {
      return lastLines(redact(plainOutput(new TextDecoder().decode(await process.log()))));
    } catch (error) {
      log.debug({ process: process.id, error: String(error) }, 'failed to read the log of a process');
      return undefined;
    }
  }

  /** Over a new connection: those that the store knows of are watched again. */
  async rewatch(sandboxId: string): Promise<void> {
    const { store } = this.#world;
    const handle = this.#life.handle(sandboxId);
    if (!handle) return;
    for (const { id, state, checkIntervalMs } of await store.processes.list(sandboxId)) {
      if (state !== 'running') continue;
      const ref = { sandboxId, id };
      try {
        this.watch(ref, await handle.process(id), checkIntervalMs ?? undefined);
      } catch (error) {
        if (!isHermesError(error, 'SANDBOX_PROCESS_UNKNOWN')) throw error;
        await store.processes.end(ref, { state: 'ended' });
      }
    }
  }

  /** After a restart: what ended with the earlier life is over, what outlived it is watched again. */
  async recover(entry: LedgerEntry): Promise<void> {
    const { store, facts } = this.#world;
    const isLive = entry.state === 'ready' || entry.state === 'leased';
    if (this.#life.handle(entry.id)) return;
    if (isLive && facts[entry.backend]?.capabilities.survivesGateway) await this.#connect(entry);
    else await store.processes.endAll(entry.id);
  }

  /**
   * Whether something that nobody waits for still runs there; such a one is not retired. Throws when that cannot be
   * found out.
   */
  async isBusy(entry: LedgerEntry): Promise<boolean> {
    const { store, clock } = this.#world;
    try {
      if (!this.#life.handle(entry.id)) {
        const busy = await store.processes.busySandboxes();
        if (!busy.includes(entry.id)) return false;
        await this.#connect(entry);
      }
      // Whoever is in the sandbox can make the answer take long.
      return await inPhase('look', { clock, on: `sandbox ${entry.id}` }, async () => {
        const processes = (await this.#life.handle(entry.id)?.processes()) ?? [];
        return (await Promise.all(processes.map(isRunning))).includes(true);
      });
    } catch (error) {
      if (isHermesError(error, 'SANDBOX_GONE')) return false;
      throw error;
    }
  }

  async #connect(entry: LedgerEntry): Promise<void> {
    await this.#life.wake(entry, entry.policy as SandboxPolicy); // as SandboxLife wrote it
    await this.rewatch(entry.id);
  }
}

async function isRunning(process: BackgroundProcess): Promise<boolean> {
  try {
    return (await process.poll()).state === 'running';
  } catch (error) {
    // Its folder went after it was listed.
    if (isHermesError(error, 'SANDBOX_PROCESS_UNKNOWN')) return false;
    throw error;
  }
}

function endOf(end: Awaited<ReturnType<BackgroundProcess['wait']>>): ProcessEnd {
  if (end.state === 'exited') return { state: 'exited', code: end.exitCode };
  if (end.state === 'signaled') return { state: 'signaled', code: end.signal };
  return { state: 'ended' };
}
