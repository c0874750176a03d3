// The public API: sandboxes without a gateway. `openSandbox` loads the configuration, makes a sandbox and hands it out.
import { tmpdir } from 'node:os';
import type { Limits, Mount, Network } from './backends/backend.ts';
import { systemClock } from './base/clock.ts';
import { newId } from './base/ids.ts';
import { createBackend, loadHermesConfig } from './compose.ts';
import { readEnvironment } from './config/environment.ts';
import { SandboxHandle } from './sandboxes/handle.ts';

export type {
  Abortable,
  Backend,
  Capabilities,
  Isolation,
  Limits,
  Mount,
  Network,
  ProcessExit,
  Sandbox,
  SandboxProcess,
  SandboxRef,
  SandboxSpec,
} from './backends/backend.ts';
export type { ErrorCode } from './base/error-codes.ts';
export { HermesError, isHermesError } from './base/errors.ts';
export type { FileInfo, ListedFile } from './sandboxes/files.ts';
export { type ExecOptions, SandboxHandle } from './sandboxes/handle.ts';
export type { BackgroundProcess, ProcessState } from './sandboxes/jobs.ts';
export type { ExecResult, Outcome } from './sandboxes/result.ts';

export interface OpenSandboxOptions {
  /** One of the backends of the configuration, such as `local` or `docker`. */
  readonly backend: string;
  readonly image?: string;
  readonly network?: Network;
  readonly limits?: Limits;
  readonly mounts?: readonly Mount[];
  /** Where commands start; absent = the backend's own default. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether its files outlive a suspension. */
  readonly persistent?: boolean;
  /** Cancels the making of it. */
  readonly signal?: AbortSignal;
}

/** Throws CONFIG_INVALID, UNAVAILABLE_BACKEND or SANDBOX_NO_BASH; then nothing is left. */
export async function openSandbox(options: OpenSandboxOptions): Promise<SandboxHandle> {
  const { backend: name, signal, limits = {}, mounts = [], env = {}, persistent = false, ...rest } = options;
  const environment = readEnvironment();
  const config = await loadHermesConfig(environment);
  const backend = await createBackend(name, config, { environment, cwd: process.cwd(), tmpDir: tmpdir() });
  const abortable = signal ? { signal } : {};
  const spec = { id: newId(), installation: 'api', limits, mounts, env, persistent, ...rest };
  const sandbox = await backend.create(spec, abortable);
  try {
    return await SandboxHandle.open({ sandbox, clock: systemClock });
  } catch (error) {
    await sandbox.destroy();
    throw error;
  }
}
