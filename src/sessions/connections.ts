// The sandboxes that this process has a connection to.
import type { SandboxHandle } from '../sandboxes/handle.ts';

export class Connections {
  readonly #handles = new Map<string, SandboxHandle>();
  readonly #opening = new Map<string, Promise<SandboxHandle>>();

  get(id: string): SandboxHandle | undefined {
    return this.#handles.get(id);
  }

  /** Several who want one at once get the same. */
  async open(id: string, open: () => Promise<SandboxHandle>, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const opening = this.#opening.get(id) ?? this.#open(id, open);
    const canceled = Promise.withResolvers<never>();
    const cancel = (): void => canceled.reject(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      await Promise.race([opening, canceled.promise]);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Whoever takes it has to end the connection. */
  take(id: string): SandboxHandle | undefined {
    const handle = this.#handles.get(id);
    this.#handles.delete(id);
    return handle;
  }

  /** Ends the connection and nothing else. With `only`, a newer one is left alone. */
  async letGo(id: string, only?: SandboxHandle): Promise<void> {
    if (only && this.#handles.get(id) !== only) return only.detach();
    await this.take(id)?.detach();
  }

  /** Lets go of all without ending any. */
  async close(): Promise<void> {
    const handles = [...this.#handles.values()];
    this.#handles.clear();
    await Promise.allSettled(handles.map(handle => handle.detach()));
  }

  #open(id: string, open: () => Promise<SandboxHandle>): Promise<SandboxHandle> {
    const opening = open().then(handle => {
      this.#handles.set(id, handle);
      return handle;
    });
    this.#opening.set(id, opening);
    const over = (): unknown => this.#opening.delete(id);
    opening.then(over, over);
    return opening;
  }
}
