// Puts the agent together: model, tools, the door that every call passes, and the desk where people are asked.
import { Agent } from '../agent/agent.ts';
import { ToolDoor } from '../agent/door.ts';
import { sandboxTerms } from '../agent/sandbox-terms.ts';
import { ApprovalDesk, type DeskOptions } from '../approvals/desk.ts';
import { Gate } from '../approvals/gate.ts';
import type { AskModel } from '../approvals/smart.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import { allowCommand, type HermesConfig } from '../compose.ts';
import { createExecuteCode, programLimits } from '../execute-code/execute-code.ts';
import type { Provider } from '../providers/provider.ts';
import { sendableFile } from '../sessions/attachments.ts';
import type { SessionSandboxes } from '../sessions/session-sandboxes.ts';
import type { SandboxWorld } from '../sessions/world.ts';
import { createTools } from '../tools/all-tools.ts';

export interface AgentOptions {
  readonly config: HermesConfig;
  readonly world: SandboxWorld;
  readonly sandboxes: SessionSandboxes;
  readonly redactor: Redactor;
  /** Undefined: direct mode. */
  readonly provider: Provider | undefined;
  /** Shows a question to owners; false when there is nobody to show it to. */
  readonly show: DeskOptions['show'];
}

export interface AssembledAgent {
  readonly agent: Agent;
  readonly desk: ApprovalDesk;
}

export function assembleAgent(options: AgentOptions): AssembledAgent {
  const { config, world, sandboxes, redactor, provider, show } = options;
  const { store, clock, log } = world;
  const { redact } = redactor;
  // The configuration is read once; what owners allow since counts as well.
  const allowed: string[] = [];
  const desk = new ApprovalDesk({
    ...{ store, clock, show, timeoutMs: config.get('approvals.timeout') * 1000 },
    allowAlways: async command => {
      await allowCommand(config, command);
      allowed.push(command);
    },
  });
  const termsOf = sandboxTerms(world);
  const tools = createTools({
    ...{ clock, redact, sendableFile },
    keepsShell: async (session, sandboxId) => (await termsOf(session, sandboxId)).keepsShell,
  });
  const executeCode = createExecuteCode({ tools, limits: programLimits(config), redact });
  const mode = config.get('approvals.mode');
  const askModel = mode === 'smart' && provider ? { askModel: askerOf(provider) } : {};
  const door = new ToolDoor({
    ...{ termsOf, redact, log, audit: store.audit, tools: [...tools, executeCode] },
    gate: new Gate({ desk, audit: store.audit, redact, ...askModel }),
    approvals: () => ({
      mode,
      deny: config.get('approvals.deny'),
      allowlist: [...config.get('command_allowlist'), ...allowed],
    }),
  });
  return { agent: new Agent({ world, config, sandboxes, provider, tools: door, redactor }), desk };
}

function askerOf(provider: Provider): AskModel {
  return async ({ system, user }, signal) => {
    let text = '';
    const request = { system, messages: [{ role: 'user' as const, text: user }], tools: [] };
    for await (const event of provider.stream(request, signal ? { signal } : {})) {
      if (event.type === 'text') text += event.delta;
    }
    return text;
  };
}
