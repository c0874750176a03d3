// Owns the running services of one test run: starts each on demand, once, and stops all in reverse order.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NotAvailable, type Running, type Service, type ServiceContext } from './service.ts';

export interface HostOptions {
  readonly runId: string;
  readonly runDir: string;
  readonly cacheDir: string;
  /** Prints a line of progress. */
  say(text: string): void;
}

/** What came to light while stopping. Both lists empty: all is well. */
export interface StopReport {
  /** What tests left inside services, already removed. */
  readonly leftovers: readonly string[];
  readonly failures: readonly string[];
}

export class ServiceHost {
  readonly #options: HostOptions;
  readonly #addresses = new Map<string, Promise<unknown>>();
  readonly #running: { name: string; running: Running<unknown> }[] = [];
  readonly #abort = new AbortController();
  /** Reasons by name of the services that this machine cannot run. */
  readonly notAvailable = new Map<string, string>();

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** The service's address; it is started by the first who asks. Fails for all in the same way when it cannot run. */
  addressOf<Address>(service: Service<Address>): Promise<Address> {
    // Two services of one name would be a mistake in the registry; the name stands for the type.
    const known = this.#addresses.get(service.name) as Promise<Address> | undefined;
    if (known) return known;
    const address = this.#start(service);
    this.#addresses.set(service.name, address);
    return address;
  }

  async #start<Address>(service: Service<Address>): Promise<Address> {
    const { name } = service;
    this.#abort.signal.throwIfAborted();
    const dir = join(this.#options.runDir, name);
    await mkdir(dir, { recursive: true, mode: 0o755 });
    const context: ServiceContext = {
      runId: this.#options.runId,
      runDir: this.#options.runDir,
      dir,
      cacheDir: this.#options.cacheDir,
      signal: this.#abort.signal,
      say: text => this.#options.say(`${name}: ${text}`),
      need: other => this.addressOf(other),
    };
    const startedMs = performance.now();
    try {
      const running = await service.start(context);
      this.#running.push({ name, running });
      context.say(`ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
      return running.address;
    } catch (error) {
      if (error instanceof NotAvailable) this.notAvailable.set(name, error.message);
      throw error;
    }
  }

  /** Stops every service, those still starting included. Never throws: one that fails must not keep others running. */
  async stopAll(): Promise<StopReport> {
    this.#abort.abort(new Error('the test run is being torn down'));
    await Promise.allSettled(this.#addresses.values());
    const leftovers: string[] = [];
    const failures: string[] = [];
    for (const { name, running } of this.#running.splice(0).reverse()) {
      try {
        for (const left of (await running.sweep?.()) ?? []) leftovers.push(`${name}: ${left}`);
      } catch (error) {
        failures.push(`${name}: could not be searched for leftovers: ${String(error)}`);
      }
      try {
        await running.stop();
      } catch (error) {
        failures.push(`${name}: could not be stopped: ${String(error)}`);
      }
    }
    return { leftovers, failures };
  }
}
