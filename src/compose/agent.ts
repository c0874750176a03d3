// The agent of this installation: its model, its tools, and the door that every call of them passes.
import { Agent } from '../agent/agent.ts';
import { ToolDoor } from '../agent/door.ts';
import { sandboxTerms } from '../agent/sandbox-terms.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import type { HermesConfig } from '../compose.ts';
import { createExecuteCode, programLimits } from '../execute-code/execute-code.ts';
import type { Provider } from '../providers/provider.ts';
import { sendableFile } from '../sessions/attachments.ts';
import type { SessionSandboxes } from '../sessions/session-sandboxes.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import { createTools } from '../tools/all-tools.ts';
import type { Approvals } from './approvals.ts';

export interface OpenAgentOptions {
  readonly world: SandboxWorld;
  readonly sandboxes: SessionSandboxes;
  /** Undefined: direct mode. */
  readonly provider: Provider | undefined;
  readonly approvals: Approvals;
  readonly redactor: Redactor;
}

export function openAgent(config: HermesConfig, options: OpenAgentOptions): Agent {
  const { world, sandboxes, provider, approvals, redactor } = options;
  const { store, clock, log } = world;
  const { redact } = redactor;
  const termsOf = sandboxTerms(world);
  const tools = createTools({
    ...{ clock, redact, sendableFile },
    keepsShell: async (session, sandboxId) => (await termsOf(session, sandboxId)).keepsShell,
  });
  const executeCode = createExecuteCode({ tools, limits: programLimits(config), redact });
  const door = new ToolDoor({
    ...{ clock, termsOf, redact, log, audit: store.audit, tools: [...tools, executeCode] },
    home: config.paths.home,
    gate: approvals.gate,
    approvals: approvals.policy,
  });
  return new Agent({ world, config, sandboxes, provider, tools: door, redactor });
}
