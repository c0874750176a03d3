// What the Modal double has: apps, images, sandboxes, and who may ask for them.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Container, copyRoot, makeRoot, removeRoot } from './modal-container.ts';
import type { Exec } from './modal-exec.ts';

export interface DoubleImage {
  readonly id: string;
  /** A snapshot's folder; absent = made afresh. */
  readonly root?: string;
  readonly hasBash: boolean;
  readonly hasCapabilities: boolean;
}

/** As it was asked for. */
export interface Definition {
  readonly name: string;
  readonly appId: string;
  readonly imageId: string;
  readonly command: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly timeoutSecs: number;
  readonly idleTimeoutSecs: number;
  readonly regions: readonly string[];
  readonly network: 'open' | 'blocked';
  readonly milliCpu: number;
  readonly memoryMb: number;
  /** What it was given as secrets of the service; ours are given none. */
  readonly secretIds: readonly string[];
}

export interface DoubleSandbox extends Definition {
  readonly id: string;
  readonly taskId: string;
  readonly createdAt: number;
  readonly container: Container;
  readonly root: string;
  readonly execs: Map<string, Exec>;
  /** How it ended; absent = it lives. */
  result?: { readonly status: number; readonly exitcode: number };
}

/** GenericResult's words. */
export const RESULT = { success: 1, failure: 2, terminated: 3, timeout: 4 } as const;

export class ModalState {
  readonly apps = new Map<string, string>();
  readonly images = new Map<string, DoubleImage>();
  readonly sandboxes = new Map<string, DoubleSandbox>();
  /** Of those that are being made. */
  readonly #taken = new Set<string>();
  readonly #dir: string;
  readonly #bwrap: string;
  #count = 0;

  constructor(dir: string, bwrap: string) {
    this.#dir = dir;
    this.#bwrap = bwrap;
  }

  living(): DoubleSandbox[] {
    return [...this.sandboxes.values()].filter(({ result }) => result === undefined);
  }

  appId(name: string): string {
    const id = this.apps.get(name) ?? newId('ap');
    this.apps.set(name, id);
    return id;
  }

  imageOf(tag: string): DoubleImage {
    const id = `im-${Buffer.from(tag).toString('hex')}`;
    const image = { id, hasBash: tag !== 'nobash', hasCapabilities: tag !== 'nocaps' };
    this.images.set(image.id, image);
    return image;
  }

  /** Undefined when another one of the app has its name. */
  async create(definition: Definition, image: DoubleImage): Promise<DoubleSandbox | undefined> {
    const { appId, name } = definition;
    const key = `${appId}/${name}`;
    const isTaken = this.living().some(other => other.appId === appId && other.name === name);
    if (isTaken || this.#taken.has(key)) return undefined;
    this.#taken.add(key);
    try {
      return await this.#make(definition, image);
    } finally {
      this.#taken.delete(key);
    }
  }

  /** As when somebody stops it. */
  removeApp(name: string): void {
    this.apps.delete(name);
  }

  async #make(definition: Definition, image: DoubleImage): Promise<DoubleSandbox> {
    // Longer than those of the first kind, by which the SDK tells them apart.
    const id = newId('sb', 26);
    const root = join(this.#dir, id);
    if (image.root === undefined) {
      await mkdir(root, { recursive: true });
      await makeRoot(root);
    } else await copyRoot(image.root, root);
    const command = definition.command.length > 0 ? definition.command : ['sleep', 'infinity'];
    const { hasBash, hasCapabilities } = image;
    const container = await Container.start({ bwrap: this.#bwrap, root, command, hasBash, hasCapabilities });
    const sandbox: DoubleSandbox = {
      ...definition,
      ...{ id, taskId: newId('ta'), createdAt: ++this.#count, container, root, execs: new Map() },
    };
    this.sandboxes.set(id, sandbox);
    void container.ended.then(exitcode => {
      sandbox.result ??= { status: RESULT.success, exitcode };
    });
    return sandbox;
  }

  async end(sandbox: DoubleSandbox, status: number = RESULT.terminated): Promise<void> {
    sandbox.result ??= { status, exitcode: 137 };
    await sandbox.container.kill();
    await removeRoot(sandbox.root);
  }

  async snapshot({ root, imageId }: DoubleSandbox): Promise<DoubleImage> {
    const id = newId('im');
    const { hasBash = true, hasCapabilities = true } = this.images.get(imageId) ?? {};
    const image = { id, root: join(this.#dir, id), hasBash, hasCapabilities };
    await copyRoot(root, image.root);
    this.images.set(id, image);
    return image;
  }

  /** Snapshots that are kept, and billed. */
  snapshots(): string[] {
    return [...this.images.values()].filter(({ root }) => root !== undefined).map(({ id }) => id);
  }

  async removeImage(id: string): Promise<boolean> {
    const root = this.images.get(id)?.root;
    if (root !== undefined) await removeRoot(root);
    return this.images.delete(id);
  }
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

function newId(prefix: string, length = 22): string {
  const letters = [...randomBytes(length)].map(byte => ALPHABET[byte % ALPHABET.length]);
  return `${prefix}-${letters.join('')}`;
}
