// What the agent is given: everything that it needs of the rest, once (P3).
import type { section as approvals } from '../approvals/settings.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import type { SettingsReader } from '../base/setting.ts';
import type { Provider } from '../providers/provider.ts';
import type { section as model } from '../providers/settings.ts';
import type { LeaseRequest } from '../sessions/held.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import type { Session } from '../store/sessions.ts';
import type { ToolSandbox } from '../tools/tool.ts';
import type { section as agent } from './settings.ts';
import type { ToolCaller } from './tool-caller.ts';

export type AgentSettings = (typeof agent)['settings'] &
  (typeof model)['settings'] &
  (typeof approvals)['settings'];

/** A sandbox that is held until it is released; a SandboxLease fits. */
export interface HeldSandbox extends ToolSandbox {
  release(): Promise<void>;
}

export interface AgentParts {
  /** Store, clock, log, and the decision about where commands run. */
  readonly world: SandboxWorld;
  readonly config: SettingsReader<AgentSettings>;
  /** Who gives sandboxes; SessionSandboxes fits. */
  readonly sandboxes: { lease(session: Session, request: LeaseRequest): Promise<HeldSandbox> };
  /** Undefined: direct mode. */
  readonly provider: Provider | undefined;
  readonly tools: ToolCaller;
  readonly redactor: Redactor;
}
