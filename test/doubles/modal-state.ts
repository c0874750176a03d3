// What the Modal double has: apps, images, sandboxes, and who may ask for them.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Timer } from '../../src/base/clock.ts';
import { Container, copyRoot, makeRoot, removeRoot } from './modal-container.ts';
import type { Exec } from './modal-exec.ts';
import { type DoubleImage, ModalImages, RESULT } from './modal-images.ts';

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
  /** How many execs run. */
  running?: number;
  /** Ends it when nothing was run in it for long enough; armed while nothing runs. */
  idle?: Timer;
  /** How it ended; absent = it lives. */
  result?: { readonly status: number; readonly exitcode: number };
}

/** A sandbox of somebody else in the workspace. Nothing runs in it; no call may change it. */
export interface OtherSandbox {
  readonly id: string;
  readonly name: string;
  readonly app: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: number;
}

/** As modal.proto has it. */
interface SnapshotRequest {
  readonly snapshotId: string;
  readonly ttlSeconds: number;
}

export interface StateOptions {
  readonly dir: string;
  readonly bwrap: string;
  /** For the ends of sandboxes by their age and by idleness. */
  readonly clock: Clock;
}

export class ModalState {
  readonly apps = new Map<string, string>();
  readonly images = new ModalImages();
  readonly sandboxes = new Map<string, DoubleSandbox>();
  /** Of those that are being made. */
  readonly #taken = new Set<string>();
  readonly #snapshots = new Map<string, Promise<DoubleImage>>();
  /** Of others, that a call wanted to end. */
  readonly trespasses: string[] = [];
  /** One of the same app and of the older kind, which V2 lists too; one of another app. */
  readonly others: readonly OtherSandbox[];
  readonly #options: StateOptions;
  #count = 0;

  constructor(options: StateOptions) {
    this.#options = options;
    const tags = { 'hermes-installation': 'elsewhere', team: 'data' };
    this.others = [
      { id: newId('sb', V1_ID), name: 'notebook', app: 'hermes-agent', tags, createdAt: ++this.#count },
      {
        id: newId('sb', V2_ID),
        name: 'hermes-other',
        app: 'hermes-agent',
        tags: {},
        createdAt: ++this.#count,
      },
      { id: newId('sb', V2_ID), name: 'preview', app: 'website', tags, createdAt: ++this.#count },
    ];
  }

  living(): DoubleSandbox[] {
    return [...this.sandboxes.values()].filter(({ result }) => result === undefined);
  }

  appId(name: string): string {
    const id = this.apps.get(name) ?? newId('ap');
    this.apps.set(name, id);
    return id;
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
    const id = newId('sb', V2_ID);
    const { dir, bwrap, clock } = this.#options;
    const root = join(dir, id);
    if (image.root === undefined) {
      await mkdir(root, { recursive: true });
      await makeRoot(root);
    } else await copyRoot(image.root, root);
    const { hasBash, hasCapabilities, entrypoint } = image;
    const given = definition.command.length > 0 ? definition.command : ['sleep', 'infinity'];
    const command = [...entrypoint, ...given];
    const container = await Container.start({ bwrap, root, command, hasBash, hasCapabilities });
    const sandbox: DoubleSandbox = {
      ...definition,
      ...{ id, taskId: newId('ta'), createdAt: ++this.#count, container, root, execs: new Map() },
    };
    this.sandboxes.set(id, sandbox);
    const life = clock.after(definition.timeoutSecs * 1000, () => void this.end(sandbox, RESULT.timeout));
    void container.ended.then(exitcode => {
      sandbox.result ??= { status: RESULT.success, exitcode };
      life.cancel();
      sandbox.idle?.cancel();
    });
    this.rest(sandbox);
    return sandbox;
  }

  /** An exec was started in it. While one runs it is not idle. */
  run(sandbox: DoubleSandbox, execId: string, exec: Exec): void {
    sandbox.idle?.cancel();
    sandbox.execs.set(execId, exec);
    sandbox.running = (sandbox.running ?? 0) + 1;
    void exec.exit.then(() => {
      sandbox.running = (sandbox.running ?? 1) - 1;
      this.rest(sandbox);
    });
  }

  rest(sandbox: DoubleSandbox): void {
    if ((sandbox.running ?? 0) > 0 || sandbox.result || sandbox.idleTimeoutSecs === 0) return;
    const end = (): void => void this.end(sandbox, RESULT.idleTimeout);
    sandbox.idle = this.#options.clock.after(sandbox.idleTimeoutSecs * 1000, end);
  }

  async end(sandbox: DoubleSandbox, status: number = RESULT.terminated): Promise<void> {
    sandbox.result ??= { status, exitcode: 137 };
    await sandbox.container.kill();
    await removeRoot(sandbox.root);
  }

  /** One for each id that a client gives, however often it asks, and for so long. */
  snapshot(sandbox: DoubleSandbox, { snapshotId, ttlSeconds }: SnapshotRequest): Promise<DoubleImage> {
    const taken = this.#snapshots.get(snapshotId) ?? this.#take(sandbox);
    if (this.#snapshots.has(snapshotId)) return taken;
    this.#snapshots.set(snapshotId, taken);
    const remove = ({ id }: DoubleImage): unknown =>
      this.#options.clock.after(ttlSeconds * 1000, () => void this.images.remove(id));
    if (ttlSeconds > 0) void taken.then(remove);
    return taken;
  }

  async #take({ root, imageId }: DoubleSandbox): Promise<DoubleImage> {
    const id = newId('im');
    const { hasBash = true, hasCapabilities = true, entrypoint = [] } = this.images.get(imageId) ?? {};
    const image = { id, root: join(this.#options.dir, id), hasBash, hasCapabilities, entrypoint };
    await copyRoot(root, image.root);
    this.images.keep(image);
    return image;
  }
}

/** The SDK tells the two kinds of sandboxes apart by the length of their ids (modal 0.11.1, `getSandboxVersion`). */
const V1_ID = 22;
const V2_ID = 26;
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

function newId(prefix: string, length = 22): string {
  const letters = [...randomBytes(length)].map(byte => ALPHABET[byte % ALPHABET.length]);
  return `${prefix}-${letters.join('')}`;
}
