// The real agent with the real tools, door and provider, for a gateway of a test; its model is on loopback.
import type { Agent } from '../../../src/agent/agent.ts';
import type { ApprovalDesk } from '../../../src/approvals/desk.ts';
import { agentOn } from '../agent/stage.ts';
import type { House } from './house.ts';

export function realAgent(ground: House['ground'], desk: ApprovalDesk, modelUrl: string): Promise<Agent> {
  return agentOn(ground, desk, { server: { openAiUrl: modelUrl } });
}
