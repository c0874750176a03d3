// The public API: sandboxes without a gateway. `openSandbox` loads the configuration, makes a sandbox and hands it out.
import { loadHermesConfig, type OpenSandboxOptions, openSandboxWith } from './compose.ts';
import { readEnvironment } from './config/environment.ts';
import type { SandboxHandle } from './sandboxes/handle.ts';

export type {
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
export type { Abortable } from './base/abortable.ts';
export type { Clock, Timer } from './base/clock.ts';
export type { ErrorCode } from './base/error-codes.ts';
export { HermesError, isHermesError } from './base/errors.ts';
export type { Log } from './base/log.ts';
export type { OpenSandboxOptions } from './compose.ts';
export type { MessagePart } from './platforms/message-parts.ts';
export type {
  Button,
  Chat,
  CommandHint,
  Connection,
  ConnectOptions,
  IncomingFileRef,
  OutgoingFileMessage,
  OutgoingText,
  Platform,
  PlatformCapabilities,
  PlatformContext,
  PlatformEvent,
  PlatformState,
  Sender,
  Sent,
} from './platforms/platform.ts';
export type { PlatformPlugin, PluginContext, PluginFailure, PluginSettings } from './platforms/plugin.ts';
export type { BackgroundProcess, ProcessState } from './sandboxes/background-process.ts';
export type { FileInfo, ListedFile } from './sandboxes/files.ts';
export { type ExecOptions, type OutputChunk, SandboxHandle } from './sandboxes/handle.ts';
export type { ExecResult, Outcome } from './sandboxes/result.ts';

/** Throws CONFIG_INVALID, UNAVAILABLE_BACKEND or SANDBOX_NO_BASH; then nothing is left. */
export async function openSandbox(options: OpenSandboxOptions): Promise<SandboxHandle> {
  const environment = readEnvironment();
  return openSandboxWith(await loadHermesConfig(environment), environment, options);
}
