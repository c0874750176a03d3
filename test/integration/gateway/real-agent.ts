// The real agent with the real tools, door and provider, for a gateway of a test; its model is on loopback.
import { Agent } from '../../../src/agent/agent.ts';
import { ToolDoor } from '../../../src/agent/door.ts';
import { sandboxTerms } from '../../../src/agent/sandbox-terms.ts';
import type { ApprovalDesk } from '../../../src/approvals/desk.ts';
import { Gate } from '../../../src/approvals/gate.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createRedactor } from '../../../src/base/redact/redactor.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { createProvider } from '../../../src/providers/create.ts';
import { sendableFile } from '../../../src/sessions/attachments.ts';
import type { Session } from '../../../src/store/sessions.ts';
import { createTools } from '../../../src/tools/all-tools.ts';
import type { House } from './house.ts';

export async function realAgent(
  { world, sandboxes, home }: House['ground'],
  desk: ApprovalDesk,
  modelUrl: string,
): Promise<Agent> {
  const { store, clock, log } = world;
  const flags = Object.entries({ 'model.base_url': modelUrl, 'model.name': 'test-model' });
  const config = await loadHermesConfig(
    { HERMES_HOME: home },
    Object.fromEntries(flags.map(([key, text]) => [key, { flag: key, text }])),
  );
  const redactor = createRedactor({ secrets: [], shapes: 'on' });
  const { redact } = redactor;
  const termsOf = sandboxTerms(world);
  const keepsShell = async (session: Session, id: string) => (await termsOf(session, id)).keepsShell;
  const tools = new ToolDoor({
    tools: createTools({ clock, redact, sendableFile, keepsShell }),
    gate: new Gate({ desk, audit: store.audit, redact }),
    ...{ termsOf, audit: store.audit, redact, log },
    approvals: () => ({ mode: 'manual', deny: [], allowlist: [] }),
  });
  const provider = await createProvider(config, { clock: systemClock, random: () => 0 });
  return new Agent({ world, config, sandboxes, provider, tools, redactor });
}
