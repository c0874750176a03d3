// The agent of this installation: its model, its tools, and the door that every call of them passes.
import { Agent } from '../agent/agent.ts';
import type { ToolCaller } from '../agent/tool-caller.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import type { HermesConfig } from '../compose.ts';
import type { Provider } from '../providers/provider.ts';
import type { SessionSandboxes } from '../sessions/session-sandboxes.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import type { Approvals } from './approvals.ts';
import { openDoor } from './door.ts';

export interface OpenAgentOptions {
  readonly world: SandboxWorld;
  readonly sandboxes: SessionSandboxes;
  /** Undefined: direct mode. */
  readonly provider: Provider | undefined;
  readonly approvals: Approvals;
  readonly redactor: Redactor;
  /** The one that others use too; absent = one of its own. */
  readonly door?: ToolCaller;
}

export function openAgent(config: HermesConfig, options: OpenAgentOptions): Agent {
  const { world, sandboxes, provider, approvals, redactor } = options;
  const tools = options.door ?? openDoor(config, { world, approvals, redactor });
  return new Agent({ world, config, sandboxes, provider, tools, redactor });
}
