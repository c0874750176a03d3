// What the tests of the docker backend stand on: a backend with settings of a test, and sandboxes that are destroyed after it.
import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackend } from '../../../src/backends/docker/index.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { type Backend, type Sandbox, SandboxHandle, type SandboxSpec } from '../../../src/index.ts';
import type { ImageAddress } from '../../services/image.ts';
import { PATIENCE_MS } from '../../wait.ts';

export interface Opened {
  readonly handle: SandboxHandle;
  readonly sandbox: Sandbox;
}

export class DockerGround implements AsyncDisposable {
  readonly installation = `test-${randomBytes(6).toString('hex')}`;
  /** What the operator was told meanwhile. */
  readonly said: string[] = [];
  readonly home: string;
  readonly #address: ImageAddress;
  readonly #sandboxes: Sandbox[] = [];
  readonly #backends: Backend[] = [];

  private constructor(address: ImageAddress, home: string) {
    this.#address = address;
    this.home = home;
  }

  static async make(address: ImageAddress): Promise<DockerGround> {
    return new DockerGround(address, await realpath(await mkdtemp(join(tmpdir(), 'docker-test-'))));
  }

  /** `settings`: as variables, such as TERMINAL_DOCKER_USER. `engine`: what the docker client reads, such as DOCKER_HOST. */
  async backend(
    settings: Readonly<Record<string, string>> = {},
    engine: Readonly<Record<string, string>> = {},
    clock: Clock = systemClock,
  ): Promise<Backend> {
    const known = {
      HOME: this.home,
      HERMES_HOME: join(this.home, 'hermes'),
      TERMINAL_DOCKER_IMAGE: this.#address.image,
      TERMINAL_DOCKER_NETWORK: 'none',
      TERMINAL_CONTAINER_MEMORY: '256',
      ...settings,
    };
    const backend = createBackend(await loadHermesConfig(known), {
      environment: { HOME: this.home, DOCKER_HOST: this.#address.docker.host, ...engine },
      cwd: this.home,
      tmpDir: this.home,
      home: join(this.home, 'hermes'),
      variable: () => undefined,
      progress: text => this.said.push(text),
      clock,
    });
    this.#backends.push(backend);
    return backend;
  }

  newSpec(spec: Partial<SandboxSpec> = {}): SandboxSpec {
    return {
      id: `t${randomBytes(8).toString('hex')}`,
      installation: this.installation,
      limits: {},
      mounts: [],
      env: {},
      persistent: true,
      ...spec,
    };
  }

  async create(backend: Backend, spec: Partial<SandboxSpec> = {}): Promise<Sandbox> {
    const sandbox = await backend.create(this.newSpec(spec));
    this.#sandboxes.push(sandbox);
    return sandbox;
  }

  /** A sandbox that takes commands. */
  async open(
    spec: Partial<SandboxSpec> = {},
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Opened> {
    const sandbox = await this.create(await this.backend(settings), spec);
    return { sandbox, handle: await this.enter(sandbox) };
  }

  enter(sandbox: Sandbox): Promise<SandboxHandle> {
    return SandboxHandle.open({ sandbox, clock: systemClock, timeoutMs: PATIENCE_MS });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#sandboxes.map(sandbox => sandbox.destroy()));
    await Promise.all(this.#backends.map(backend => backend.close()));
    await rm(this.home, { recursive: true });
  }
}
